export type ListMethod = keyof typeof listMethods;

export const listMethods = {
  'tools/list': { capability: 'tools', key: 'tools' },
  'prompts/list': { capability: 'prompts', key: 'prompts' },
  'resources/list': { capability: 'resources', key: 'resources' },
  'resources/templates/list': { capability: 'resources', key: 'resourceTemplates' },
} as const;

const maxPages = 100;
const maxEntries = 2_000;

/** The entries of all pages of a list. */
interface ListedEntries {
  /** As received from the server. */
  readonly entries: readonly unknown[];
  /** The list has more pages, or pages without end. */
  readonly isCut: boolean;
}

/** @param read requests one page @param isLate true once the time limit has passed */
export async function readAllPages(
  method: ListMethod,
  read: (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>,
  isLate: () => boolean,
): Promise<ListedEntries> {
  const { key } = listMethods[method];
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && entries.length <= maxEntries && !isLate(); page++) {
    const result = await read(cursor === undefined ? {} : { cursor });
    const found = result[key];
    if (Array.isArray(found)) entries.push(...found.slice(0, maxEntries + 1));
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string') {
      return { entries: entries.slice(0, maxEntries), isCut: entries.length > maxEntries };
    }
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return { entries: entries.slice(0, maxEntries), isCut: true };
}
