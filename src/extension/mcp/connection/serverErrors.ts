import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { sanitiseLine } from '../../base/text.ts';
import { SignInNeededError } from '../signIn/signInNeeded.ts';
import { unreachableReason } from '../transport/networkReason.ts';
import { describeRefusedMessage } from '../transport/refusedMessage.ts';

/** The reason why a server did not start. A retry is useless unless `mayPass`. */
export class StartFailure extends LocalizedError {
  readonly mayPass: boolean;

  constructor(
    say: LocalizedMessage,
    { mayPass, cause }: { readonly mayPass: boolean; readonly cause?: unknown },
  ) {
    super(say, { cause });
    this.mayPass = mayPass;
  }
}

/** The server answered a request with an error. The message is the server's, or Folio's if the answer was unusable. */
export class ServerRefusal extends LocalizedError {}

/** The answer to a call was lost, and the call was not sent again. */
export class LostAnswerError extends LocalizedError {
  constructor() {
    super(() =>
      t(
        'Its answer ended early, so Folio cannot tell whether the call was carried out. Check that before you call it again.',
      ),
    );
  }
}

/** The library may wrap an error thrown by fetch. */
export function findSignInNeeded(error: unknown): SignInNeededError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof SignInNeededError) return each;
  }
  return undefined;
}

/** Removes the library's error number, and shortens its JSON list of validation errors. */
export function errorText(error: unknown): string {
  const wrong = wrongFields(error);
  if (wrong?.length === 0) return t('its answer does not follow the protocol.');
  if (wrong) return t('its answer does not follow the protocol, see {0}.', wrong.join(', '));
  const impossible = wantedInput(error);
  if (impossible) return impossible;
  const ours = describeRefusedMessage(error instanceof Error && 'data' in error ? error.data : undefined);
  return ours ?? unreachableReason(error).replace(/^(MCP error -?\d+: |SSE error: )+/, '');
}

/** Servers with protocol 2026-07-28 may fail because they did not get an input that they required. */
function wantedInput(error: unknown): string | undefined {
  if (!(error instanceof SdkError)) return undefined;
  if (error.code === SdkErrorCode.InputRequiredRoundsExceeded)
    return t('it asked for input too many times, so the call was stopped.');
  const method = isRecord(error.data) ? error.data.method : undefined;
  if (error.code !== SdkErrorCode.CapabilityNotSupported || typeof method !== 'string') return undefined;
  return method === 'sampling/createMessage'
    ? t('it tried to use your language model, which Folio does not allow.')
    : t('it requested "{0}", which Folio does not support.', sanitiseLine(method, 60));
}

/** Fields of an answer that the library's schema rejected. */
function wrongFields(error: unknown): readonly string[] | undefined {
  const issues = issuesOf(error);
  const paths = issues?.flatMap((issue: unknown) =>
    isRecord(issue) && Array.isArray(issue.path) ? [issue.path.map(String).join('.')] : [],
  );
  return paths && [...new Set(paths.filter(Boolean).map(path => `"${path}"`))];
}

function issuesOf(error: unknown): readonly unknown[] | undefined {
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    // The library has them only in its message, as JSON.
    const issues = tryParseJson(error.message.slice(error.message.indexOf('[')));
    return Array.isArray(issues) ? issues : [];
  }
  return error instanceof Error && 'issues' in error && Array.isArray(error.issues)
    ? error.issues
    : undefined;
}
