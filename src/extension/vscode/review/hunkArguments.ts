import { isRecord } from '../../base/record.ts';

/** Which file or hunk a command is about. A key or the palette says nothing: then it is the one at the cursor. */
export interface CommandPlace {
  readonly path: string;
  readonly hunkId?: number;
}

/** Lenses and links name a place; a button of an editor's title gives the file’s URI, which is no place of ours. */
export function parseCommandPlace(argument: unknown): CommandPlace | undefined {
  // A URI has a path too, but more beside it.
  if (!isRecord(argument) || 'scheme' in argument) return undefined;
  const { path, hunkId } = argument;
  if (typeof path !== 'string') return undefined;
  if (hunkId === undefined) return { path };
  return typeof hunkId === 'number' ? { path, hunkId } : undefined;
}
