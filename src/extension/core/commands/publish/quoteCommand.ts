import { t } from '../../../../protocol/language.ts';
import { CommandError } from '../../commandError.ts';
import { quoteArgument } from '../template/quoteArgument.ts';

/** Quotes words for the platform's shell, so that each is taken literally. */
export function quoteCommand(words: readonly string[], platform: string): string {
  return words.reduce((line, word) => {
    const before = line === '' ? '' : `${line} `;
    if (/^[\w./:@=-]+$/.test(word)) return before + word;
    const quoted = quoteArgument(word, before, platform);
    if (quoted.kind === 'refused')
      throw new CommandError(t('{0} cannot be used in a command: it {1}.', word, quoted.why()));
    return before + quoted.text;
  }, '');
}
