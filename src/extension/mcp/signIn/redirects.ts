/* The redirect target of the browser after a sign-in. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';

export interface Redirects {
  /** Rejects with a user-facing message. @param request the address of the last time, or the configured one */
  open(state: string, intent: RedirectRequest): Promise<Redirect>;
}

interface RedirectRequest {
  readonly url?: string;
  /** No other address will do. */
  readonly fixed: boolean;
}

interface Redirect {
  readonly url: string;
  /** Resolves with the parameters after checking `state`. Rejects with the signal's reason. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** A server on this machine for the duration of a sign-in. */
export const loopbackRedirects: Redirects = {
  open: async (state, { url, fixed }) => {
    const intended = url === undefined ? undefined : URL.parse(url);
    const path = intended?.pathname ?? '/callback';
    const { server, answered } = waitFor(path, state);
    try {
      await listen(server, Number(intended?.port ?? 0)).catch(async (error: unknown) => {
        if (fixed) throw error;
        // Another program uses the port of the last time.
        await listen(server, 0);
      });
    } catch (error) {
      throw new LocalizedError(() =>
        t('The address {0} cannot be listened at: {1}', String(url), messageOf(error)),
      );
    }
    const host = intended?.hostname ?? '127.0.0.1';
    return {
      url: `http://${host}:${portOf(server)}${path}`,
      answer: signal => abortable(answered, signal),
      close: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  },
};

interface Waiting {
  readonly server: Server;
  readonly answered: Promise<URLSearchParams>;
}

function waitFor(path: string, state: string): Waiting {
  const server = createServer();
  const answered = new Promise<URLSearchParams>(resolve => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
      if (request.method !== 'GET' || url?.pathname !== path)
        return page(response, 404, t('Nothing is here.'));
      // Another page must not be able to end the sign-in.
      if (url.searchParams.get('state') !== state) {
        return page(response, 400, t('This answer does not match any sign-in that Folio is waiting for.'));
      }
      const failed = url.searchParams.has('error');
      page(
        response,
        200,
        failed
          ? t('The sign-in failed. Go back to Folio to see why.')
          : t('You are signed in. Go back to Folio.'),
      );
      resolve(url.searchParams);
    });
  });
  return { server, answered };
}

function page(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  });
  response.end(`<!doctype html><title>Folio</title><p>${sentence}</p>`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error);
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('The server for the answer is closed.');
  return address.port;
}
