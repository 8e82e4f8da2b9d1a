import type { Saying } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { SignInNeeded } from '../signIn/signInNeeded.ts';
import { networkReason } from '../transport/guardedFetch.ts';
import { sayRefused } from '../transport/refusedMessage.ts';

/** Why a server did not start; trying again is of no use unless `mayPass`. */
export class StartFailure extends SpokenError {
  readonly mayPass: boolean;

  constructor(say: Saying, { mayPass, cause }: { readonly mayPass: boolean; readonly cause?: unknown }) {
    super(say, { cause });
    this.mayPass = mayPass;
  }
}

/** The server answered a request with an error; the words are its own, or of Folio where its answer was of no use. */
export class ServerRefusal extends SpokenError {}

/** The library may wrap what a fetch throws. */
export function findSignInNeeded(error: unknown): SignInNeeded | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof SignInNeeded) return each;
  }
  return undefined;
}

/** The library puts its number before the server's words. */
export function plainError(error: unknown): string {
  const ours = sayRefused(error instanceof Error && 'data' in error ? error.data : undefined);
  return ours ?? networkReason(error).replace(/^(MCP error -?\d+: )+/, '');
}
