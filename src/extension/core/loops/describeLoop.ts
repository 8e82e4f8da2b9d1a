import type { FoundLoop } from '../../../protocol/budgets.ts';
import { t } from '../../../protocol/language.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { sanitiseLine } from '../../base/text.ts';
import type { CallLoop, LoopCall } from './callLoopDetector.ts';
import type { TextLoop } from './textLoopDetector.ts';

export function describeCallLoop({ calls, rounds, sameResults }: CallLoop): string {
  const [first] = calls;
  if (first && calls.length === 1) {
    const call = describeCall(first, 200);
    return sameResults
      ? t('The same call was made {0} times in a row with the same result: {1}.', rounds, call)
      : t('The same call was made {0} times in a row with changing results: {1}.', rounds, call);
  }
  const list = calls.map(call => describeCall(call, 80)).join(', ');
  const count = calls.length;
  return sameResults
    ? t('The same {0} calls were made {1} times in a row with the same results: {2}.', count, rounds, list)
    : t('The same {0} calls were made {1} times in a row with changing results: {2}.', count, rounds, list);
}

export function describeTextLoop({ text }: TextLoop): string {
  return t('The answer repeated the same text many times: "{0}".', sanitiseLine(text, 160));
}

export function describeLoopVerdict(why: string): string {
  const sentence = why && !/[.!?…]$/.test(why) ? `${why}.` : why;
  return sentence || t('The last steps brought no progress.');
}

/** Asks the model to try another way. The detail may quote foreign text, so it stays on one line. */
export function nudgeFor(kind: FoundLoop['kind'], detail: string): string {
  return `[Loop watch] You seem to be going in circles. What was noticed: ${sanitiseLine(detail, 600)}

${remedies[kind]} Step back first: say in a sentence what you were trying to reach and why this way does not get there. Then take a different way, or, when you lack a decision or a fact that only the user has, ask the user and end your turn. When the work is in truth done, say so and end your turn.`;
}

const remedies: Readonly<Record<FoundLoop['kind'], string>> = {
  calls: 'Doing it once more will bring nothing new, so do not make these calls again as they were.',
  text: 'Do not repeat that text, not even once.',
  judged: 'Continuing in the same manner will hardly help.',
};

function describeCall({ name, args }: LoopCall, limit: number): string {
  return sanitiseLine(`${name} ${canonicalJson(args)}`, limit);
}
