import type { ModelEnd, ModelProvider } from '../model.ts';

/** One question to a model outside any session. */
export interface ModelQuestion {
  readonly model: string;
  readonly system: string;
  readonly text: string;
}

/** Returns the answer's text, which may be empty. Rejects with a `ModelError`, or on abort with the signal's reason. */
export async function askModelOnce(
  provider: Pick<ModelProvider, 'stream'>,
  { model, system, text }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const messages = [{ role: 'user', parts: [{ kind: 'text', text }] }] as const;
  let end: ModelEnd | undefined;
  for await (const event of provider.stream({ model, system, messages, tools: [], signal })) {
    if (event.type === 'end') end = event.end;
  }
  signal.throwIfAborted();
  if (!end) throw new Error('The provider broke its promise: the answer had no end.');
  if (!end.ok) throw end.error;
  return end.message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
}
