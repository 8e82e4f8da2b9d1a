import { type IncomingMessage, request as requestHttp } from 'node:http';
import type { HttpTransport, TransportAnswer, TransportRequest } from '../../platform/http/httpTransport.ts';

/**
 * Requests over Node's own modules for HTTP, whose connections wait for the next request and go by the proxy of the
 * environment. `fetch` would do the same, but loading it takes as long as all else that the first request needs, and
 * each request half a millisecond more.
 */
export class NodeTransport implements HttpTransport {
  async send(request: TransportRequest): Promise<TransportAnswer> {
    const incoming = await answerTo(request);
    // No other header comes as a list.
    const { 'set-cookie': _cookies, ...rest } = incoming.headers;
    const headers = rest as TransportAnswer['headers'];
    return { status: incoming.statusCode ?? 0, headers, body: await decoded(incoming) };
  }
}

/** Bytes of a body whose pieces are copied together: handing many to the system costs more. */
const copied = 1024 * 1024;

async function answerTo(request: TransportRequest): Promise<IncomingMessage> {
  const { url, method, body, signal } = request;
  const begin = url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, { method, headers: headersOf(request) });
    // Given to Node, the signal would break off an answer that has arrived, but was not read, with an error for nobody.
    let open: { destroy(reason: Error): unknown } = outgoing;
    signal.addEventListener('abort', () => open.destroy(signal.reason), { once: true });
    // Both stay for what goes wrong later: the reader of the body is told of it, if there is one.
    outgoing.on('error', reject);
    outgoing.on('response', incoming => {
      open = incoming.on('error', () => undefined);
      resolve(incoming);
    });
    for (const piece of lengthOf(body) > copied ? body : [Buffer.concat(body)]) outgoing.write(piece);
    outgoing.end();
  });
}

/** The length is told, so that the body is sent as it is. */
function headersOf({ headers, body }: TransportRequest): Readonly<Record<string, string>> {
  const all: Record<string, string> = { accept: '*/*', ...headers };
  if (body.length > 0) all['content-length'] = String(lengthOf(body));
  return all;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Nobody asked for a compressed answer, but some proxies compress whatever passes. */
async function decoded(incoming: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  if (incoming.headers['content-encoding'] === undefined) return incoming;
  const { decodeAnswer } = await import('./decodeAnswer.ts');
  return decodeAnswer(incoming);
}
