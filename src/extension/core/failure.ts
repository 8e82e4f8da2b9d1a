import { inEnglish, type Saying } from '../../protocol/language.ts';
import type { Failure } from '../../protocol/values.ts';

/** For the user, and for a model that hears of it: an agent's problem ends up before the one who sent it out. */
export function makeFailure(kind: string, say: Saying, remedy?: Failure['remedy']): Failure {
  const [message, english] = [say(), inEnglish(say)];
  return { kind, message, remedy, english: english === message ? undefined : english };
}
