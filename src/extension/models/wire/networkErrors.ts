import { t } from '../../../protocol/language.ts';
import { errorCode } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import { describeAddressSource, type ExpectedAddress } from './addressAdvice.ts';

/** Connection errors that a retry may fix. */
const passing: readonly RegExp[] = [
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EPROTO)$/,
  /^UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|CONNECT_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH|CLOSED|DESTROYED)$/,
  /^ERR_(STREAM_PREMATURE_CLOSE|SSL_WRONG_VERSION_NUMBER)$/,
  /^ERR_SSL_.*BAD_RECORD_MAC/i,
  /^HPE_/,
  // The answer claims to be compressed but cannot be decompressed.
  /^Z_/,
  /^ERR_PROXY_TUNNEL$/,
];

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

/** Only `failed` may succeed on a retry. */
interface NetworkFailure {
  readonly kind: 'failed' | 'untrusted' | 'proxyLogin';
  /** The system's error code, for example `ECONNREFUSED`. Empty if there is none. */
  readonly code: string;
}

export const proxyLoginFailure: NetworkFailure = { kind: 'proxyLogin', code: '' };

/** Searches the chain of causes, where `fetch` puts the real error. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  const chain = [...causesOf(error)];
  for (const cause of chain) {
    const code = errorCode(cause);
    if (code === undefined) continue;
    if (passing.some(pattern => pattern.test(code)))
      return wantsLogin(chain) ? proxyLoginFailure : { kind: 'failed', code };
    if (untrusted.test(code)) return { kind: 'untrusted', code };
  }
  // `fetch` throws this when the cause has no code, and when a body breaks off.
  const fetchFailed = chain.some(
    cause => cause instanceof TypeError && /^(fetch failed|terminated)$/i.test(cause.message),
  );
  if (!fetchFailed) return undefined;
  return wantsLogin(chain) ? proxyLoginFailure : { kind: 'failed', code: '' };
}

/**
 * Returns host and port on this machine if nothing listens there, since waiting does not help. Returns `undefined` for
 * anything else, and for a remote host, which may only be starting.
 */
export function findClosedLocalPort(error: unknown): string | undefined {
  const refusals = [...causesOf(error)].filter(cause => errorCode(cause) === 'ECONNREFUSED').flatMap(placeOf);
  const [first] = refusals;
  return first && refusals.every(({ isHere }) => isHere) ? first.place : undefined;
}

interface Place {
  readonly place: string;
  readonly isHere: boolean;
}

function placeOf(refusal: object): readonly Place[] {
  // The aggregate error of several addresses names none of them.
  if (!('address' in refusal && 'port' in refusal)) return [];
  const address = String(refusal.address);
  const host = address.includes(':') ? `[${address}]` : address;
  return [{ place: `${host}:${refusal.port}`, isHere: /^(127\.|::1$|::ffff:127\.)/.test(address) }];
}

/** Node's proxy clients have no code for it. These are the messages of `fetch` and of Node's HTTP modules. */
function wantsLogin(chain: readonly unknown[]): boolean {
  return chain.some(
    cause =>
      cause instanceof Error &&
      /proxy response \(407\)|^Failed to establish tunnel .* 407\b/i.test(cause.message),
  );
}

/** Completes "Check …" for a connection that failed. @param address as configured; empty for the service's own */
export function whatToCheck(
  { code }: NetworkFailure,
  address: string,
  form: Pick<ExpectedAddress, 'setting' | 'variable'>,
): string {
  if (address !== '') return t('that it runs and that {0} is right', describeAddressSource(form, address));
  return /^(ENOTFOUND|EAI_AGAIN)$/.test(code)
    ? t('your internet connection')
    : t(
        'the network, and the proxy where you use one (setting http.proxy of VS Code or variable HTTPS_PROXY)',
      );
}

/** Host or address that failed: the server, or a proxy on the way. Empty if unknown. */
function failedAt(error: unknown, code: string): string {
  const cause = [...causesOf(error)].find(each => errorCode(each) === code);
  if (cause === undefined) return '';
  const [refusal] = placeOf(cause);
  if (refusal) return refusal.place;
  return 'hostname' in cause && typeof cause.hostname === 'string' ? cause.hostname : '';
}

/** @param describe returns the server's name within a sentence, and what to check when a connection fails */
export function networkFailureError(
  { kind, code }: NetworkFailure,
  cause: unknown,
  describe: () => { readonly server: string; readonly check: string },
): ModelError {
  const shown = code ? ` (${[code, failedAt(cause, code)].filter(Boolean).join(' ')})` : '';
  const say = () => {
    const { server, check } = describe();
    switch (kind) {
      case 'failed':
        return t('The connection to {0} failed{1}. Check {2}, then retry.', server, shown, check);
      case 'untrusted':
        return t(
          'The connection to {0} is not trusted{1}. If a proxy inspects encrypted connections here, add its certificate to those of this computer, or name its file in NODE_EXTRA_CA_CERTS and start again.',
          server,
          shown,
        );
      case 'proxyLogin':
        return t(
          "A proxy between Folio and {0} requires you to log in. Check VS Code's setting http.proxy, or the variable HTTPS_PROXY, then retry.",
          server,
        );
    }
  };
  return new ModelError('network', say, { retryable: kind === 'failed', cause });
}

/** Limits the depth, which also ends cyclic chains. No client nests deeper. */
function* causesOf(error: unknown, depth = 5): Generator<object> {
  if (typeof error !== 'object' || error === null || depth === 0) return;
  yield error;
  if ('cause' in error) yield* causesOf(error.cause, depth - 1);
  // Several addresses of one host were tried.
  if ('errors' in error && Array.isArray(error.errors)) {
    for (const inner of error.errors) yield* causesOf(inner, depth - 1);
  }
}
