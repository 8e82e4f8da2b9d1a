import { t } from '../../../../protocol/language.ts';
import { Refusal } from '../../refusal.ts';
import { quoteArgument } from '../template/quoteArgument.ts';

/** A command line in which each word stands for itself, for the shell of the platform. */
export function commandOf(words: readonly string[], platform: string): string {
  return words.reduce((line, word) => {
    const before = line === '' ? '' : `${line} `;
    if (/^[\w./:@=-]+$/.test(word)) return before + word;
    const quoted = quoteArgument(word, before, platform);
    if (quoted.kind === 'refused')
      throw new Refusal(t('{0} cannot be used in a command: it {1}.', word, quoted.why()));
    return before + quoted.text;
  }, '');
}
