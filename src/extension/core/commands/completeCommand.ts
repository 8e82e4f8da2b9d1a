import { t } from '../../../protocol/language.ts';
import type { CompletionChoice, CompletionList } from '../../../protocol/mentions.ts';
import { oneLine } from '../../base/text.ts';
import type { ArgumentValue, Command, CommandSource, KnownModel, SlashSubCommand } from './commands.ts';

/** Longer lists are not useful. */
const maxChoices = 100;
const maxLabelLength = 60;

/**
 * Completes a slash command: first an exact match, then names that begin with the query, names with a part that does,
 * and names that contain it.
 * @param models known models to choose from
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
  // Sorting is stable for equal ranks.
  found.sort((a, b) => rankOf(a.name, wanted) - rankOf(b.name, wanted));
  return { choices: found.slice(0, maxChoices).map(offer), limited: found.length > maxChoices };
}

/** After a command's name and a blank, offers the command itself, then its subcommands, and so on for each word. */
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
  return owner && word && subCommandOf(owner, word);
}

export function subCommandOf(owner: Pick<Command, 'name'>, word: SlashSubCommand): Command {
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

/** Offers an alias only if it was typed, so that Enter does not pick another command. */
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

/** Names the source, for chips and lists. */
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
