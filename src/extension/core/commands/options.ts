/* Parses options of a slash command, such as `--yes` and `--ref main`, and words between them. */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { CommandError } from '../commandError.ts';
import { formatWordList } from './commandWithSubCommands.ts';
import { splitWords } from './template/words.ts';

interface ParsedOptions<Text extends string, Flag extends string> {
  /** Words that are not options, in order. */
  readonly names: readonly string[];
  readonly texts: Readonly<Partial<Record<Text, string>>>;
  readonly flags: ReadonlySet<Flag>;
}

/** @param texts options with a value. @param flags options without one; all without hyphens */
export function parseOptions<Text extends string, Flag extends string>(
  argument: string,
  texts: readonly Text[],
  flags: readonly Flag[],
): ParsedOptions<Text, Flag> {
  const names: string[] = [];
  const given: Partial<Record<Text, string>> = {};
  const set = new Set<Flag>();
  const words = splitWords(argument);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const text = texts.find(each => word === `--${each}`);
    const flag = flags.find(each => word === `--${each}`);
    if (flag !== undefined) set.add(flag);
    else if (text !== undefined) {
      const value = words[++at];
      if (value === undefined)
        throw new CommandError(t('--{0} needs a value. Put it in quotes if it contains spaces.', text));
      given[text] = value;
    } else if (word.startsWith('-')) {
      const known = [...texts, ...flags].map(each => `--${each}`);
      throw new CommandError(t('There is no option {0}: use {1}.', oneLine(word, 60), formatWordList(known)));
    } else names.push(word);
  }
  return { names, texts: given, flags: set };
}
