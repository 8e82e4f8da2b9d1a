import type { Transport, TransportAnswer } from '../../platform/transport.ts';

/** Over `fetch`, which in a window goes the way that VS Code's settings say, through a proxy perhaps. */
export const fetchTransport: Transport = {
  send: ({ url, method, headers, body, signal }) =>
    fetchAnswer(url, { method, headers, body: body.length > 0 ? Buffer.concat(body) : undefined, signal }),
};

export interface FetchAnswer extends TransportAnswer {
  readonly headers: Headers;
}

export async function fetchAnswer(url: string | URL | Request, init: RequestInit): Promise<FetchAnswer> {
  const { status, type, headers, body } = await fetch(url, { ...init, redirect: 'manual' });
  return {
    // By the letter of the standard the status of a redirect that is not followed is hidden.
    status: type === 'opaqueredirect' ? 302 : status,
    header: name => headers.get(name) ?? undefined,
    headers,
    body: body ?? undefined,
  };
}
