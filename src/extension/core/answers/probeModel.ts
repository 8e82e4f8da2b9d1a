import type { ModelError, ModelProvider } from '../model.ts';

/**
 * Tests whether a model answers requests like Folio's, with a tool declared. A server may run, list the model and
 * accept the key, and still refuse that. The answer is cancelled at its first event, so the test costs almost nothing.
 * Resolves with the error, if any; never rejects.
 */
export async function probeModel(
  provider: ModelProvider,
  model: string,
  signal: AbortSignal,
): Promise<ModelError | undefined> {
  const left = new AbortController();
  const request = { ...trial, model, signal: AbortSignal.any([signal, left.signal]) };
  try {
    for await (const event of provider.stream(request)) {
      if (event.type !== 'end') return undefined;
      if (!event.end.ok) return event.end.error;
    }
    return undefined;
  } finally {
    left.abort();
  }
}

const trial = {
  system: '',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Answer with the one word: yes' }] }],
  tools: [
    {
      name: 'look',
      description: 'Looks at a file. It is not needed for this answer.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
} as const;
