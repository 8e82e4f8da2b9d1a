import { SignInNeeded } from '../signIn/signInNeeded.ts';
import { networkReason } from '../transport/guardedFetch.ts';

/** Why a server did not start; trying again is of no use unless `mayPass`. */
export class StartFailure extends Error {
  readonly mayPass: boolean;

  constructor(message: string, { mayPass, cause }: { readonly mayPass: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.mayPass = mayPass;
  }
}

/** The server answered a request with an error; the words are its own. */
export class ServerRefusal extends Error {}

/** The library may wrap what a fetch throws. */
export function findSignInNeeded(error: unknown): SignInNeeded | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof SignInNeeded) return each;
  }
  return undefined;
}

/** The library puts its number before the server's words. */
export function plainError(error: unknown): string {
  return networkReason(error).replace(/^(MCP error -?\d+: )+/, '');
}
