import { builtIns } from '../../src/extension/core/commands/table/builtIns.ts';
import { withWords } from '../../src/extension/core/commands/texts/describeCommands.ts';
import { commandGroups } from './commandSentences.ts';
import type { CommandEntry, Manifest } from './manifest.ts';
import { code, markdownTable } from './markdown.ts';

/** One table for each group. Fails for a command without a sentence and for a sentence without a command. */
export function commandTables({ commands }: Manifest): string {
  checkSentences(commands);
  const tables = commandGroups.map(({ heading, sentences }) => {
    const rows = Object.entries(sentences).map(([id, sentence]) => [titleOf(commands, id), sentence]);
    return `### ${heading}\n\n${markdownTable(['command', 'what it does'], rows)}`;
  });
  return tables.join('\n\n');
}

/** Stands below the tables that say what each command does. */
export function keybindingTable({ commands, keybindings }: Manifest): string {
  const rows = keybindings.map(binding => [...keysOf(binding), titleOf(commands, binding.command)]);
  return markdownTable(['key', 'on macOS', 'command'], rows);
}

export function reviewKeyTable({ commands, keybindings }: Manifest): string {
  const rows = keybindings
    .filter(({ command }) => /^folio\.(review|comments)\./.test(command))
    .map(binding => [...keysOf(binding), titleOf(commands, binding.command), sentenceOf(binding.command)]);
  return markdownTable(['key', 'on macOS', 'command', 'what it does'], rows);
}

/** Commands that do the same, such as `/mcp` and `/mcp list`, share a row, at the first one's place. */
export function slashCommandTable(): string {
  const namesByEffect = new Map<string, string[]>();
  for (const { name, argument, description, words } of withWords(builtIns())) {
    const spoken = argument === undefined || words ? code(`/${name}`) : `${code(`/${name}`)} *${argument}*`;
    const names = namesByEffect.get(description);
    if (names === undefined) namesByEffect.set(description, [spoken]);
    else names.push(spoken);
  }
  const rows = [...namesByEffect].map(([description, names]) => [names.join(', '), `${description}.`]);
  return markdownTable(['command', 'what it does'], rows);
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
      `scripts/docs/commandSentences.ts must hold one sentence for each command. Missing: ${unreported.join(', ') || 'none'}. Not a command: ${unknown.join(', ') || 'none'}.`,
    );
}

function titleOf(commands: readonly CommandEntry[], id: string): string {
  const entry = commands.find(({ command }) => command === id);
  if (!entry) throw new Error(`package.json has no command ${id}.`);
  return `${entry.category}: ${entry.title}`;
}

function sentenceOf(id: string): string {
  return commandGroups.map(({ sentences }) => sentences[id]).find(sentence => sentence !== undefined) ?? '';
}

/** `ctrl+shift+'` as people write it. */
function keyName(key: string): string {
  const names = key.split('+').map(part => part.charAt(0).toUpperCase() + part.slice(1));
  return code(names.join('+'));
}
