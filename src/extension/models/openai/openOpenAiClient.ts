import type { OpenAI } from 'openai';
import type { WireExchange } from '../wire/wireExchange.ts';

/** Creates OpenAI's client over our exchange. Loads the library on the first call. */
export async function openOpenAiClient(exchange: WireExchange): Promise<OpenAI> {
  const baseURL = await exchange.open();
  const { OpenAI } = await import('openai');
  return new OpenAI({
    // The library requires a key. The exchange omits it if there is none.
    apiKey: exchange.key ?? 'none',
    baseURL,
    // Environment variables meant for other programs must not be sent to this server.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    // The core decides about retries, and `sendWithLimits` detects a silent server.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: exchange.fetch,
  });
}
