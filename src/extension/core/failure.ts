import { inEnglish, type LocalizedMessage } from '../../protocol/language.ts';
import type { Failure } from '../../protocol/values.ts';

/** Describes a failure for the user and, in English, for a model: a subagent's failure is reported to its caller. */
export function makeFailure(kind: string, say: LocalizedMessage, remedy?: Failure['remedy']): Failure {
  const [message, english] = [say(), inEnglish(say)];
  return { kind, message, remedy, english: english === message ? undefined : english };
}
