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

export function keybindingTable({ commands, keybindings }: Manifest): string {
  return keyRows(commands, keybindings);
}

export function reviewKeyTable({ commands, keybindings }: Manifest): string {
  return keyRows(
    commands,
    keybindings.filter(({ command }) => /^folio\.(review|comments)\./.test(command)),
  );
}

export function slashCommandTable(): string {
  const rows = withWords(builtIns()).map(({ name, argument, description, words }) => [
    argument === undefined || words ? code(`/${name}`) : `${code(`/${name}`)} *${argument}*`,
    `${description}.`,
  ]);
  return markdownTable(['command', 'what it does'], rows);
}

function keyRows(commands: readonly CommandEntry[], keybindings: Manifest['keybindings']): string {
  const rows = keybindings.map(({ command, key, mac }) => [
    keyName(key),
    keyName(mac ?? key),
    titleOf(commands, command),
    sentenceOf(command),
  ]);
  return markdownTable(['key', 'on macOS', 'command', 'what it does'], rows);
}

function checkSentences(commands: readonly CommandEntry[]): void {
  const told = new Set(commandGroups.flatMap(({ sentences }) => Object.keys(sentences)));
  const known = new Set(commands.map(({ command }) => command));
  const untold = [...known].filter(id => !told.has(id));
  const unknown = [...told].filter(id => !known.has(id));
  if (untold.length + unknown.length > 0)
    throw new Error(
      `scripts/docs/commandSentences.ts must hold one sentence for each command. Missing: ${untold.join(', ') || 'none'}. Not a command: ${unknown.join(', ') || 'none'}.`,
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
