import type { Citation } from '../../../protocol/values.ts';
import type { ModelEnd, ModelProvider, ModelRequest } from '../../core/model.ts';

export interface ToolModel {
  readonly provider: Pick<ModelProvider, 'stream'>;
  readonly model: string;
}

type ModelAnswer =
  | { readonly ok: true; readonly text: string; readonly citations: readonly Citation[] }
  /** Why there is no answer, one or two sentences. */
  | { readonly ok: false; readonly reason: string };

/** Asks one question with the provider's own web tools. Rejects with the signal's reason. */
export async function askModel(
  { provider, model }: ToolModel,
  builtIn: NonNullable<ModelRequest['builtIn']>,
  question: string,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  signal.throwIfAborted();
  const messages = [{ role: 'user', parts: [{ kind: 'text', text: question }] }] as const;
  let end: ModelEnd | undefined;
  for await (const event of provider.stream({ model, system: '', messages, tools: [], builtIn, signal })) {
    if (event.type === 'end') end = event.end;
  }
  signal.throwIfAborted();
  if (!end) throw new Error('The provider broke its promise: the answer had no end.');
  if (!end.ok) return { ok: false, reason: end.error.english };
  const text = end.message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  if (text.trim() === '') return { ok: false, reason: 'The answer was empty.' };
  return { ok: true, text, citations: end.citations };
}

/** `[1] Title (address)`, one per line, each address once; empty without citations. */
export function listSources(citations: readonly Citation[]): string {
  const byUri = new Map(citations.map(citation => [citation.uri, citation]));
  return [...byUri.values()]
    .map(({ uri, title }, index) => `[${index + 1}] ${title ? `${title} (${uri})` : uri}`)
    .join('\n');
}
