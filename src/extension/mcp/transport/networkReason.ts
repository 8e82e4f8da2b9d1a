import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';

/** Node reports only `fetch failed`; its cause holds the reason. */
export function networkReason(error: unknown): string {
  return messageOf(firstCause(error));
}

/**
 * Why a request got no answer. If another protocol answers at the address, says what to check instead of quoting a
 * parser error.
 */
export function unreachableReason(error: unknown): string {
  const cause = firstCause(error);
  const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : '';
  // Checks the name, since only some versions of undici set the code.
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

/** OpenSSL codes for a first message that is not TLS. */
const notTls: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNEXPECTED_MESSAGE',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);

function firstCause(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AggregateError ? cause.errors[0] : (cause ?? error);
}
