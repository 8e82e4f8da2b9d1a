import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';

/** Node says only `fetch failed`; why stands in the cause. */
export function networkReason(error: unknown): string {
  return messageOf(firstCause(error));
}

/** Why a request got no answer. For another program at the address, what to check in place of a parser's words. */
export function unreachableReason(error: unknown): string {
  const cause = firstCause(error);
  const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : '';
  // By its name, since only some versions of undici give its code.
  if ((cause instanceof Error && cause.name === 'HTTPParserError') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return t('the server there does not use HTTP. Check the port, and try https:// instead of http://.');
  if (notTls.has(code))
    return t('the server there does not use TLS. Check the port, and try http:// instead of https://.');
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    return t(
      'the connection was closed without an answer. Check that the server runs, its port, and http:// or https:// in its address.',
    );
  return messageOf(cause);
}

/** Codes of OpenSSL for a first message that no TLS server sends. */
const notTls: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNEXPECTED_MESSAGE',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);

function firstCause(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AggregateError ? cause.errors[0] : (cause ?? error);
}
