import { errorCode } from '../../base/errors.ts';

/** A connection that may well work the next time. */
const passing: readonly RegExp[] = [
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EPROTO)$/,
  /^UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|CONNECT_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH|CLOSED|DESTROYED)$/,
  /^ERR_(STREAM_PREMATURE_CLOSE|SSL_WRONG_VERSION_NUMBER)$/,
  /^ERR_SSL_.*BAD_RECORD_MAC/i,
  /^HPE_/,
];

/** The server's certificate is not trusted; another attempt would end the same way. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

interface NetworkTrouble {
  /** The system's code, for example `ECONNREFUSED`; empty when it gave none. */
  readonly code: string;
  readonly passing: boolean;
}

/** Looks along the chain of causes, where `fetch` hides what really happened. */
export function findNetworkTrouble(error: unknown): NetworkTrouble | undefined {
  const chain = [...causesOf(error)];
  for (const cause of chain) {
    const code = errorCode(cause);
    if (code === undefined) continue;
    if (passing.some(pattern => pattern.test(code))) return { code, passing: true };
    if (untrusted.test(code)) return { code, passing: false };
  }
  // `fetch` throws this when the reason has no code, and when a body breaks off.
  const fetchFailed = chain.some(
    cause => cause instanceof TypeError && /^(fetch failed|terminated)$/i.test(cause.message),
  );
  return fetchFailed ? { code: '', passing: true } : undefined;
}

/** Five deep is deeper than any client goes, and ends a chain that bites its tail. */
function* causesOf(error: unknown, depth = 5): Generator<unknown> {
  if (typeof error !== 'object' || error === null || depth === 0) return;
  yield error;
  if ('cause' in error) yield* causesOf(error.cause, depth - 1);
  // Several addresses of one host were tried.
  if ('errors' in error && Array.isArray(error.errors)) {
    for (const inner of error.errors) yield* causesOf(inner, depth - 1);
  }
}
