import { inEnglish, type Saying } from '../../protocol/language.ts';
import type { Trouble } from '../../protocol/values.ts';

/** For the person, and for a model that hears of it: an agent's trouble ends up before the one who sent it out. */
export function sayTrouble(kind: string, say: Saying, remedy?: Trouble['remedy']): Trouble {
  const [message, english] = [say(), inEnglish(say)];
  return { kind, message, remedy, english: english === message ? undefined : english };
}
