import { type Saying, t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { SignInNeeded } from '../signIn/signInNeeded.ts';
import { unreachableReason } from '../transport/networkReason.ts';
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

/** The library puts its number before the server's words, and lists the faults of an answer as JSON. */
export function plainError(error: unknown): string {
  const wrong = wrongFields(error);
  if (wrong?.length === 0) return t('its answer does not follow the protocol.');
  if (wrong) return t('its answer does not follow the protocol, see {0}.', wrong.join(', '));
  const ours = sayRefused(error instanceof Error && 'data' in error ? error.data : undefined);
  return ours ?? unreachableReason(error).replace(/^(MCP error -?\d+: |SSE error: )+/, '');
}

/** Fields of an answer that the library's schema refused. */
function wrongFields(error: unknown): readonly string[] | undefined {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) return undefined;
  const paths = error.issues.flatMap((issue: unknown) =>
    isRecord(issue) && Array.isArray(issue.path) ? [issue.path.map(String).join('.')] : [],
  );
  return [...new Set(paths.filter(Boolean).map(path => `"${path}"`))];
}
