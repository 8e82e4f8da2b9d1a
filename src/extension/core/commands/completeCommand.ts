import { t } from '../../../protocol/language.ts';
import type { CompletionChoice, CompletionList } from '../../../protocol/mentions.ts';
import { oneLine } from '../../base/text.ts';
import type { ArgumentValue, Command, CommandSource, KnownModel, SubCommand } from './commands.ts';

/** More than these nobody looks through. */
const maxChoices = 100;
const maxLabelLength = 60;

/**
 * Completions behind a slash at the beginning of a prompt: first what is written already, then names that begin with
 * the query, then names with a part that does, then names that contain it.
 * @param models that can be chosen, as far as they are known
 */
export function completeCommand(
  query: string,
  commands: readonly Command[],
  models: readonly KnownModel[] = [],
): CompletionList {
  const [name, ...words] = query.toLowerCase().split(' ');
  if (name !== undefined && words.length > 0) return completeWord(name, words, commands, models);
  const wanted = query.toLowerCase();
  const found = asWritten(commands, wanted).filter(({ name }) => rankOf(name, wanted) < none);
  // Sorting keeps the order of those that fit alike.
  found.sort((a, b) => rankOf(a.name, wanted) - rankOf(b.name, wanted));
  return { choices: found.slice(0, maxChoices).map(offer), limited: found.length > maxChoices };
}

/** Offers the command alone behind its name and a blank, then the words that it knows, and so on behind each word. */
function completeWord(
  name: string,
  words: readonly string[],
  commands: readonly Command[],
  models: readonly KnownModel[],
): CompletionList {
  const command = commands.find(each => each.name.toLowerCase() === name || each.aliases?.includes(name));
  const owner = words.slice(0, -1).reduce(findWord, command);
  const wanted = words.at(-1) ?? '';
  const offered = [...(owner?.words ?? []), ...(owner?.values?.(models) ?? [])];
  const found = asWritten(offered, wanted).filter(({ name }) => rankOf(name, wanted) <= begins);
  found.sort((a, b) => rankOf(a.name, wanted) - rankOf(b.name, wanted));
  if (!owner || found.length === 0) return { choices: [], limited: false };
  const { argument: _words, ...alone } = owner;
  const subs = found.map(word => offer({ ...word, name: `${owner.name} ${word.name}` }));
  const choices = wanted === '' ? [offer(alone), ...subs] : subs;
  return { choices: choices.slice(0, maxChoices), limited: choices.length > maxChoices };
}

function findWord(owner: Command | undefined, name: string): Command | undefined {
  const word = owner?.words?.find(each => each.name === name || each.aliases?.includes(name));
  return owner && word && below(owner, word);
}

/** The word as a command of its own. */
export function below(owner: Pick<Command, 'name'>, word: SubCommand): Command {
  return { ...word, name: `${owner.name} ${word.name}` };
}

const begins = 1;
const none = 4;

function rankOf(name: string, wanted: string): number {
  const plain = name.toLowerCase();
  if (plain === wanted) return 0;
  if (plain.startsWith(wanted)) return begins;
  if (plain.split(/[:.]/).some(part => part.startsWith(wanted))) return 2;
  return plain.includes(wanted) ? 3 : none;
}

/** A second name is offered only where it is written: Enter must not take another command for it. */
function asWritten<T extends ArgumentValue & Pick<Command, 'aliases'>>(
  all: readonly T[],
  wanted: string,
): readonly T[] {
  return all.map(each => (each.aliases?.includes(wanted) ? { ...each, name: wanted } : each));
}

function offer({
  name,
  description,
  argument,
  source,
}: ArgumentValue & Pick<Command, 'argument' | 'source'>): CompletionChoice {
  return {
    kind: 'command',
    label: `/${oneLine(name, maxLabelLength)}`,
    insert: `/${name} `,
    detail: description,
    hint: argument || undefined,
    source: source && describeSource(source),
  };
}

/** For a chip, and for lists. */
export function describeSource(source: CommandSource): string {
  switch (source.kind) {
    case 'person':
      return 'you';
    case 'workspace':
      return 'workspace';
    case 'extension':
      return t('extension {0}', oneLine(source.name, 30));
    case 'server':
      return t('server {0}', oneLine(source.name, 30));
  }
}
