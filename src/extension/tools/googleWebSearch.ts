import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { wrapUntrusted } from '../base/untrusted.ts';
import { type CallContext, defineReadTool, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';
import { askModel, listSources, type ToolModel } from './web/askModel.ts';
import { type CommandSearchPorts, type SearchFindings, searchByCommand } from './web/ownSearch.ts';

export interface WebSearchPorts {
  /** Returns whether the provider can search; true if absent. */
  readonly searchesWeb?: () => boolean;
  /** Used instead of the provider's search. */
  readonly ownSearch?: CommandSearchPorts;
  readonly model: () => ToolModel;
}

const input = lazySchema(() => z.object({ query: z.string() }));
type Input = z.infer<ReturnType<typeof input>>;

export function googleWebSearchTool(ports: WebSearchPorts): Tool<Input, undefined> {
  return defineReadTool({
    name: 'google_web_search',
    description: 'Searches the web and returns an answer with its sources.',
    input,
    isOffered: () => (ports.searchesWeb?.() ?? true) || Boolean(ports.ownSearch?.command()),
    title: ({ query }) => t('Search the web for {0}', query),
    run: ({ query }, call) => searchWeb(ports, query, call),
  });
}

async function searchWeb(ports: WebSearchPorts, query: string, call: CallContext): Promise<ToolResult> {
  if (query.trim() === '') throw new ToolFailure(() => t('The query is empty.'));
  const answer =
    (ports.ownSearch && (await searchByCommand(ports.ownSearch, query, call.signal))) ??
    (await askProvider(ports, query, call));
  const list = listSources(answer.citations);
  const sources = list
    ? `Sources:\n${list}`
    : 'No sources were given, so check the answer before relying on it.';
  return {
    // Titles are controlled by the pages' authors.
    text: wrapUntrusted('untrusted_content', `${answer.text}\n\n${sources}`),
    display: {
      summary: () =>
        list ? plural(list.split('\n').length, 'one: {0} source | other: {0} sources') : t('No sources'),
      detail: { kind: 'text', text: `${answer.text}\n\n${sources}` },
    },
  };
}

async function askProvider(
  { model }: WebSearchPorts,
  query: string,
  { signal }: CallContext,
): Promise<SearchFindings> {
  const answer = await askModel(model(), 'webSearch', `Search the web and answer: ${query}`, signal);
  if (answer.ok) return answer;
  throw new ToolFailure(`The web search failed: ${answer.reason}`, () => t('Web search failed'));
}
