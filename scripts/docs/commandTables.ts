import type { SubCommand } from '../../src/extension/core/commands/commands.ts';
import { builtIns } from '../../src/extension/core/commands/table/builtIns.ts';
import { commandGroups } from './commandSentences.ts';
import type { CommandEntry, Manifest } from './manifest.ts';
import { code, markdownTable } from './markdown.ts';

/** One list for each group; a command whose title says all has no sentence. Fails for a command without a place. */
export function commandLists({ commands }: Manifest): string {
  checkSentences(commands);
  const lists = commandGroups.map(({ heading, sentences }) => {
    const titles = Object.entries(sentences).map(([id, sentence]) => ({
      title: titleOf(commands, id),
      sentence,
    }));
    const described = titles.filter(({ sentence }) => sentence !== '');
    const plain = titles.filter(({ sentence }) => sentence === '');
    const lines = [
      ...described.map(({ title, sentence }) => `- *${title}*: ${sentence}`),
      ...(plain.length > 0 ? [`- ${plain.map(({ title }) => `*${title}*`).join(', ')}`] : []),
    ];
    return `### ${heading}\n\n${lines.join('\n')}`;
  });
  return lists.join('\n\n');
}

export function keybindingTable({ commands, keybindings }: Manifest): string {
  const rows = keybindings.map(binding => [...keysOf(binding), titleOf(commands, binding.command)]);
  return markdownTable(['key', 'on macOS', 'command'], rows);
}

/** A line for each command, with the words that it knows. The completion says what each word does. */
export function slashCommandList(): string {
  return builtIns()
    .map(command => {
      const { name, argument, description, words = [] } = command;
      const spoken =
        argument === undefined || words.length > 0 ? code(`/${name}`) : `${code(`/${name}`)} *${argument}*`;
      const known = words.flatMap(word => wordsOf(word)).join(', ');
      return `- ${spoken}: ${description}.${known === '' ? '' : ` Also ${known}.`}`;
    })
    .join('\n');
}

function wordsOf({ name, argument, words = [] }: SubCommand): readonly string[] {
  const own = argument === undefined || words.length > 0 ? code(name) : `${code(name)} *${argument}*`;
  return [own, ...words.flatMap(word => wordsOf({ ...word, name: `${name} ${word.name}` }))];
}

function keysOf({ key, mac }: Manifest['keybindings'][number]): readonly string[] {
  return [keyName(key), keyName(mac ?? key)];
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

/** `ctrl+shift+'` as people write it. */
function keyName(key: string): string {
  const names = key.split('+').map(part => part.charAt(0).toUpperCase() + part.slice(1));
  return code(names.join('+'));
}
