import { formatList, t } from '../../../../protocol/language.ts';
import { headOf } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { splitWords } from '../template/words.ts';
import type { PromptArgument, ServerPrompt } from './promptSource.ts';

/**
 * Parses the arguments of a server's prompt: `--name=value`, `--name value`, `name=value`, or values in order. The last
 * argument takes the rest of the line, so a single one needs no quotes.
 * @param typed the name as typed, for messages
 */
export function parsePromptArguments(
  { arguments: known }: ServerPrompt,
  argument: string,
  typed: string,
): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  const loose: string[] = [];
  const words = splitWords(argument);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const named = findNamed(word, known);
    if (named === 'unknown')
      throw new CommandError(t('/{0} does not take {1}. {2}', typed, nameOf(word), describeAll(known)));
    if (named === undefined) loose.push(word);
    else if (named.value !== undefined) values.set(named.name, named.value);
    else if (words[at + 1] === undefined)
      throw new CommandError(t('/{0} needs a value after --{1}.', typed, named.name));
    else values.set(named.name, words[++at]!);
  }
  const open = known.filter(({ name }) => !values.has(name));
  if (loose.length > 0 && open.length === 0)
    throw new CommandError(
      t(
        '/{0} does not take “{1}”: too many arguments. {2}',
        typed,
        headOf(loose[0]!, 40),
        describeAll(known),
      ),
    );
  for (const [index, { name }] of open.entries()) {
    const last = index === open.length - 1;
    const value = last ? loose.slice(index).join(' ') : (loose[index] ?? '');
    if (value !== '') values.set(name, value);
  }
  const missing = known.filter(({ name, required }) => required && !values.get(name));
  if (missing.length > 0) {
    const names = missing.map(({ name, description }) => (description ? `${name} (${description})` : name));
    throw new CommandError(
      t('/{0} needs {1}: write it as --{2}="…".', typed, formatList(names), missing[0]!.name),
    );
  }
  return Object.fromEntries(values);
}

/** Formats a hint for the list, required arguments first, in the server's order. */
export function argumentHint(known: readonly PromptArgument[]): string | undefined {
  if (known.length === 0) return undefined;
  return known.map(({ name, required }) => (required ? `--${name}=…` : `[--${name}=…]`)).join(' ');
}

/** Returns `undefined` for a value without a name. */
function findNamed(
  word: string,
  known: readonly PromptArgument[],
): { readonly name: string; readonly value?: string } | 'unknown' | undefined {
  const [, dashes = '', name, assigned] = /^(--)?([^=\s]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === undefined) return undefined;
  const isKnown = known.some(each => each.name === name);
  if (dashes === '') return isKnown && assigned !== undefined ? { name, value: assigned } : undefined;
  if (!isKnown) return 'unknown';
  return assigned === undefined ? { name } : { name, value: assigned };
}

function nameOf(word: string): string {
  return headOf(word.replace(/=[\s\S]*/, ''), 40);
}

function describeAll(known: readonly PromptArgument[]): string {
  if (known.length === 0) return t('It takes nothing.');
  return t('It takes {0}.', known.map(({ name }) => `--${name}`).join(', '));
}
