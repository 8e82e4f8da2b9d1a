import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { t } from '../../../protocol/language.ts';
import { ForeignAnswerError } from '../transport/guardedFetch.ts';
import { McpConnection } from './connection.ts';
import type { McpConnectionParts } from './connectionParts.ts';
import { StartFailure } from './serverErrors.ts';

/** Programs that are downloaded at their first start take long. */
const maxStartMs = 120_000;

/** Rejects with `SignInNeededError`, a `StartFailure`, or the signal's reason. */
export async function openConnection(parts: McpConnectionParts, signal: AbortSignal): Promise<McpConnection> {
  const { source } = parts;
  const limit = AbortSignal.timeout(Math.min(parts.timeoutMs, maxStartMs));
  try {
    return await McpConnection.open(parts, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (source.kind === 'http' && source.orSse && isOlderTransport(error)) {
      return await openConnection({ ...parts, source: { ...source, kind: 'sse' } }, signal);
    }
    if (parts.era === undefined && !limit.aborted) {
      const era = otherEra(error);
      if (era) return await openConnection({ ...parts, era }, signal);
    }
    if (limit.aborted)
      throw new StartFailure(() => t('It did not answer in time.'), { mayPass: true, cause: error });
    throw error;
  }
}

/**
 * Guesses the server's version from a failed start. Some older servers crash on the version probe, or answer it with a
 * status for errors of their own; `-32022` and the like would come from a newer one. A server that was probed too late
 * refuses the handshake.
 */
function otherEra(error: unknown): 'older' | 'newer' | undefined {
  const cause = error instanceof StartFailure ? error.cause : undefined;
  if (cause instanceof ProtocolError) return 'newer';
  const isUnclear =
    cause instanceof SdkError &&
    (cause.code === SdkErrorCode.EraNegotiationFailed || cause.code === SdkErrorCode.RequestTimeout);
  return isUnclear ? 'older' : undefined;
}

/** The protocol has clients take these answers for those of a server that only knows the older transport, SSE. */
function isOlderTransport(error: unknown): boolean {
  const cause = error instanceof StartFailure ? error.cause : undefined;
  const status = cause instanceof ForeignAnswerError ? cause.status : undefined;
  const code = cause instanceof SdkHttpError ? cause.status : status;
  return code !== undefined && code >= 400 && code < 500;
}
