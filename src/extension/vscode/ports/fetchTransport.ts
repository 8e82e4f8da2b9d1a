import type { HttpTransport, TransportAnswer, TransportRequest } from '../../platform/http/httpTransport.ts';

/** Sends requests with `fetch`, which VS Code extends by the user's proxy and certificates. */
export class FetchTransport implements HttpTransport {
  async send({ url, body, ...request }: TransportRequest): Promise<TransportAnswer> {
    const sent = body.length === 0 ? undefined : Buffer.concat(body);
    const answer = await fetch(url, { ...request, body: sent, redirect: 'manual' });
    const { 'set-cookie': _cookies, ...headers } = Object.fromEntries(answer.headers);
    return {
      // The fetch standard hides the status of a redirect that is not followed.
      status: answer.type === 'opaqueredirect' ? 302 : answer.status,
      headers,
      body: answer.body ?? none(),
    };
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}
