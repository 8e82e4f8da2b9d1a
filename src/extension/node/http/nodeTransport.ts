import { type IncomingMessage, request as requestHttp } from 'node:http';
import type { HttpTransport, TransportAnswer, TransportRequest } from '../../platform/http/httpTransport.ts';

/**
 * Sends requests with Node's own HTTP modules, which reuse connections and support the environment's proxy. `fetch`
 * would do the same, but loading it takes as long as everything else before the first request, and each request 0.5 ms
 * more.
 */
export class NodeTransport implements HttpTransport {
  async send(request: TransportRequest): Promise<TransportAnswer> {
    const incoming = await answerTo(request);
    // Only this header is a list.
    const { 'set-cookie': _cookies, ...rest } = incoming.headers;
    const headers = rest as TransportAnswer['headers'];
    return { status: incoming.statusCode ?? 0, headers, body: await decoded(incoming) };
  }
}

/** Bodies up to this many bytes are joined: passing many chunks to the system costs more than copying. */
const copied = 1024 * 1024;

async function answerTo(request: TransportRequest): Promise<IncomingMessage> {
  const { url, method, body, signal } = request;
  const begin = url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, { method, headers: headersOf(request) });
    // If Node got the signal, an abort after an unread answer would raise an unhandled error.
    let open: { destroy(reason: Error): unknown } = outgoing;
    signal.addEventListener('abort', () => open.destroy(signal.reason), { once: true });
    // Both listeners also handle later errors; the reader of the body, if any, gets them.
    outgoing.on('error', reject);
    outgoing.on('response', incoming => {
      open = incoming.on('error', () => undefined);
      resolve(incoming);
    });
    for (const piece of lengthOf(body) > copied ? body : [Buffer.concat(body)]) outgoing.write(piece);
    outgoing.end();
  });
}

/** Sets the length, so that the body is sent unchunked. */
function headersOf({ headers, body }: TransportRequest): Readonly<Record<string, string>> {
  const all: Record<string, string> = { accept: '*/*', ...headers };
  if (body.length > 0) all['content-length'] = String(lengthOf(body));
  return all;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Some proxies compress answers without being asked. */
async function decoded(incoming: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  if (incoming.headers['content-encoding'] === undefined) return incoming;
  const { decompressBody } = await import('./decompressBody.ts');
  return decompressBody(incoming);
}
