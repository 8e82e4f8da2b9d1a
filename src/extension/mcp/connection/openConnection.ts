import { SdkHttpError } from '@modelcontextprotocol/client';
import { t } from '../../../protocol/language.ts';
import { OtherAnswer } from '../transport/guardedFetch.ts';
import { Connection } from './connection.ts';
import type { ConnectionParts } from './connectionParts.ts';
import { StartFailure } from './serverErrors.ts';

/** Programs that are loaded from the net when they first start need a while. */
const maxStartMs = 120_000;

/** Rejects with `SignInNeeded`, a `StartFailure`, or the signal's reason. */
export async function openConnection(parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
  const { source } = parts;
  const limit = AbortSignal.timeout(Math.min(parts.timeoutMs, maxStartMs));
  try {
    return await Connection.open(parts, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (source.kind === 'http' && source.orSse && isOtherProtocol(error)) {
      return await openConnection({ ...parts, source: { ...source, kind: 'sse' } }, signal);
    }
    if (limit.aborted)
      throw new StartFailure(() => t('It did not answer in time.'), { mayPass: true, cause: error });
    throw error;
  }
}

/** The protocol tells clients to take these answers for a server of the older kind. */
function isOtherProtocol(error: unknown): boolean {
  const cause = error instanceof StartFailure ? error.cause : undefined;
  const status = cause instanceof OtherAnswer ? cause.status : undefined;
  const code = cause instanceof SdkHttpError ? cause.status : status;
  return code !== undefined && code >= 400 && code < 500;
}
