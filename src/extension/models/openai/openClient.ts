import type { OpenAI } from 'openai';
import type { Exchange } from '../wire/exchange.ts';

/** The client library of OpenAI over an exchange of ours, loaded with the first request. */
export async function openClient(exchange: Exchange): Promise<OpenAI> {
  const baseURL = await exchange.open();
  const { OpenAI } = await import('openai');
  return new OpenAI({
    // The library wants one; the exchange leaves it out where there is none.
    apiKey: exchange.key ?? 'none',
    baseURL,
    // Values in the environment that are meant for other programs must not go to this server.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    // The core decides about another attempt, and `sendBounded` says when a silent server counts as gone.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: exchange.fetch,
  });
}
