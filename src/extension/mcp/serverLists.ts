/* A server's tools, prompts and resources, as last read. */

import { englishMessageOf } from '../base/errors.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ListKind } from './connection/connectionParts.ts';
import {
  type ListedPrompt,
  type ListedResource,
  type ListedTemplate,
  type ListedTool,
  parsePrompt,
  parseResource,
  parseTemplate,
  parseTool,
} from './connection/parseListed.ts';
import type { ListMethod } from './connection/readAllPages.ts';
import { ServerRefusal } from './connection/serverErrors.ts';

export interface ServerLists {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ListedTemplate[];
}

export const emptyLists: ServerLists = { tools: [], prompts: [], resources: [], templates: [] };

/** Reads these lists again. Rejects with the server's error. */
export async function refreshServerLists(
  connection: McpConnection,
  kinds: ReadonlySet<ListKind>,
  before: ServerLists,
  { signal, complain }: { readonly signal: AbortSignal; readonly complain: (sentence: string) => void },
): Promise<ServerLists> {
  const read = async <T>(
    method: ListMethod,
    parse: (value: unknown) => T | undefined,
    key: (item: T) => string,
  ) => {
    const entries = await connection.list(method, signal);
    const items = new Map<string, T>();
    let lost = 0;
    for (const entry of entries) {
      const item = parse(entry);
      if (item === undefined) lost++;
      else items.set(key(item), item);
    }
    if (lost > 0)
      complain(`${lost} of ${entries.length} entries of ${method} are not valid and were left out.`);
    return [...items.values()];
  };
  // Some servers declare lists that they lack; their tools are still useful.
  const orNone =
    (method: ListMethod) =>
    (error: unknown): readonly [] => {
      if (!(error instanceof ServerRefusal)) throw error;
      complain(`${method} is declared and refused, so that nothing was read: ${englishMessageOf(error)}`);
      return [];
    };
  const [tools, prompts, resources, templates] = await Promise.all([
    kinds.has('tools')
      ? read('tools/list', parseTool, item => item.name).then(tools => inOrder(tools, before.tools))
      : before.tools,
    kinds.has('prompts')
      ? read('prompts/list', parsePrompt, item => item.name).catch(orNone('prompts/list'))
      : before.prompts,
    kinds.has('resources')
      ? read('resources/list', parseResource, item => item.uri).catch(orNone('resources/list'))
      : before.resources,
    kinds.has('resources')
      ? // Many servers with resources have no templates.
        read('resources/templates/list', parseTemplate, item => item.uriTemplate).catch(
          () => before.templates,
        )
      : before.templates,
  ]);
  return { tools, prompts, resources, templates };
}

/**
 * Keeps the order of known tools, and appends new ones. Tools begin each request to a model, whose cache requires a
 * stable prefix.
 */
function inOrder(tools: readonly ListedTool[], before: readonly ListedTool[]): readonly ListedTool[] {
  const left = new Map(tools.map(tool => [tool.name, tool]));
  const known = before.flatMap(old => {
    const now = left.get(old.name);
    left.delete(old.name);
    if (now === undefined) return [];
    return [JSON.stringify(now) === JSON.stringify(old) ? old : now];
  });
  return [...known, ...left.values()];
}
