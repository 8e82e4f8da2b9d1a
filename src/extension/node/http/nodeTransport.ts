import type { IncomingMessage } from 'node:http';
import type { Transport, TransportAnswer, TransportRequest } from '../../platform/transport.ts';
import { decoded } from './decoded.ts';

/** Over Node's own client. `fetch` would take as long to load as all of Folio, and more for each request. */
export class NodeTransport implements Transport {
  async send(request: TransportRequest): Promise<TransportAnswer> {
    request.signal.throwIfAborted();
    const answer = await answerTo(request);
    const { headers, statusCode = 0 } = answer;
    const header = (name: string) => headers[name]?.toString();
    return { status: statusCode, header, body: decoded(answer) };
  }
}

function answerTo({ url, method, headers, body, signal }: TransportRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const sent = clientOf(target).request(target, { method, headers });
    sent.setHeader('accept-encoding', 'gzip, deflate, br');
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    if (length > 0) sent.setHeader('content-length', length);
    const abort = () => sent.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    sent.on('error', reject);
    sent.on('response', answer => {
      signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', () => answer.destroy(signal.reason), { once: true });
      resolve(answer);
    });
    // Together, the pieces leave in one call into the system.
    sent.cork();
    for (const piece of body) sent.write(piece);
    sent.end();
  });
}

/** Imported by name, Node's module would bring `fetch` along, as all that it offers is looked at then. */
function clientOf({ protocol }: URL) {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
}
