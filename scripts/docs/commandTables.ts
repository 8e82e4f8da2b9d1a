import type { SlashSubCommand } from '../../src/extension/core/commands/commands.ts';
import { builtIns } from '../../src/extension/core/commands/table/builtIns.ts';
import { commandGroups } from './commandSentences.ts';
import type { CommandEntry, Manifest } from './manifest.ts';
import { code } from './markdown.ts';

/** Returns a list for each group, without commands whose title says all. Throws for a command without a group. */
export function commandLists({ commands }: Manifest): string {
  checkSentences(commands);
  const lists = commandGroups.map(({ heading, sentences }) => {
    const lines = Object.entries(sentences)
      .map(([id, sentence]) => ({ title: titleOf(commands, id), sentence }))
      .filter(({ sentence }) => sentence !== '')
      .map(({ title, sentence }) => `- *${title}*: ${sentence}`);
    return `### ${heading}\n\n${lines.join('\n')}`;
  });
  return lists.join('\n\n');
}

export function keybindingList({ commands, keybindings }: Manifest): string {
  return keybindings
    .map(({ key, mac = key, command }) => {
      const onMac = mac === key ? '' : ` (${keyName(mac)})`;
      return `- ${keyName(key)}${onMac}: *${titleOf(commands, command)}*`;
    })
    .join('\n');
}

/** Returns a line for each slash command with its sub-commands, which the completion explains. */
export function slashCommandList(): string {
  return builtIns()
    .map(command => {
      const { name, argument, description, words = [] } = command;
      const spoken =
        argument === undefined || words.length > 0 ? code(`/${name}`) : `${code(`/${name}`)} *${argument}*`;
      const known = joinWords(words.flatMap(word => wordsOf(word)));
      return `- ${spoken}: ${description}.${known === '' ? '' : ` Also ${known}.`}`;
    })
    .join('\n');
}

interface SpokenWord {
  readonly name: string;
  readonly argument: string | undefined;
}

function wordsOf({ name, argument, words = [] }: SlashSubCommand): readonly SpokenWord[] {
  const own = { name, argument: words.length > 0 ? undefined : argument };
  return [own, ...words.flatMap(word => wordsOf({ ...word, name: `${name} ${word.name}` }))];
}

/** Joins words. Neighbours with the same argument share an entry: `enable|disable` *name*. */
function joinWords(words: readonly SpokenWord[]): string {
  const joined: SpokenWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last !== undefined && last.argument !== undefined && last.argument === word.argument)
      joined[joined.length - 1] = { ...last, name: `${last.name}|${word.name}` };
    else joined.push(word);
  }
  return joined
    .map(({ name, argument }) => (argument === undefined ? code(name) : `${code(name)} *${argument}*`))
    .join(', ');
}

function checkSentences(commands: readonly CommandEntry[]): void {
  const reported = new Set(commandGroups.flatMap(({ sentences }) => Object.keys(sentences)));
  const known = new Set(commands.map(({ command }) => command));
  const unreported = [...known].filter(id => !reported.has(id));
  const unknown = [...reported].filter(id => !known.has(id));
  if (unreported.length + unknown.length > 0)
    throw new Error(
      `scripts/docs/commandSentences.ts must name each command. Missing: ${unreported.join(', ') || 'none'}. Not a command: ${unknown.join(', ') || 'none'}.`,
    );
}

function titleOf(commands: readonly CommandEntry[], id: string): string {
  const entry = commands.find(({ command }) => command === id);
  if (!entry) throw new Error(`package.json has no command ${id}.`);
  return entry.title;
}

/** Formats `ctrl+shift+'` as `Ctrl+Shift+'`. */
function keyName(key: string): string {
  const names = key.split('+').map(part => part.charAt(0).toUpperCase() + part.slice(1));
  return code(names.join('+'));
}
