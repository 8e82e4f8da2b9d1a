/*
 * The common part of all services with Gemini's models: one request and its answer. The services differ in address and
 * credentials.
 */

import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai/web';
import { t } from '../../../protocol/language.ts';
import { once } from '../../base/once.ts';
import { withFooter } from '../../core/history/footer.ts';
import { ModelError, type ModelEvent, type ModelRequest } from '../../core/model.ts';
import { streamServiceAnswer } from '../wire/streamAnswer.ts';
import type { WireExchange } from '../wire/wireExchange.ts';
import { GeminiGatherer } from './fromGemini.ts';
import type { HistoryEncoder } from './historyEncoder.ts';
import { toGemini } from './toGemini.ts';

/** Options that determine the path of a request. */
type Entry = Pick<GoogleGenAIOptions, 'apiVersion' | 'vertexai'>;

export function streamGemini(
  exchange: WireExchange,
  entry: () => Entry,
  history: HistoryEncoder,
  request: ModelRequest,
  newId: () => string,
): AsyncGenerator<ModelEvent> {
  return streamServiceAnswer(exchange, {
    ask: async () => {
      const client = await openGeminiClient(exchange, entry());
      const pieces = history.encode(withFooter(request), request.model);
      exchange.complete = body => history.putInto(body, pieces);
      await client.models.generateContentStream(toGemini(request));
      return new GeminiGatherer(newId);
    },
    learn: () =>
      refusesSignatures(exchange) && history.leaveOutSignatures(request.messages)
        ? withoutSignatures()
        : undefined,
  });
}

/** Cached, because importing it again costs 0.1 ms per request. */
export const loadGenAiSdk = once(() => import('@google/genai/web'));

export async function openGeminiClient(exchange: WireExchange, entry: Entry): Promise<GoogleGenAI> {
  const baseUrl = await exchange.open();
  const { GoogleGenAI } = await loadGenAiSdk();
  return new GoogleGenAI({
    ...entry,
    // The client requires a key. The exchange sends the real one in a header of its own.
    apiKey: 'none',
    // Without `retryOptions` the client tries once, and the core decides about retries.
    httpOptions: { baseUrl, fetch: exchange.fetch },
  });
}

/** The service rejects signatures from another service, or from before a change on its side. */
function refusesSignatures({ refusal }: WireExchange): boolean {
  return (
    refusal?.status === 400 &&
    /(corrupted|invalid) thought.?signature|thought.?signature is (not valid|invalid|corrupted)/i.test(
      refusal.body,
    )
  );
}

function withoutSignatures(): ModelError {
  const say = () =>
    t(
      'The service cannot read the encrypted thoughts of earlier answers. This happens after the key or the provider changes. Retry: Folio no longer sends them.',
    );
  return new ModelError('invalidStream', say, { retryable: true });
}
