import { plainLine } from '../../../base/text.ts';
import type { Command } from '../commands.ts';
import { below, describeSource } from '../completeCommand.ts';

/** Lists each command, followed by its subcommands. */
export function withWords(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap(command => [
    command,
    ...withWords((command.words ?? []).map(word => below(command, word))),
  ]);
}

/** One line per command, for a terminal. */
export function listCommands(commands: readonly Command[]): string {
  return withWords(commands)
    .map(each => `${callOf(each).padEnd(32)} ${describe(each)}`)
    .join('\n');
}

/** Formats `/model [name]`. */
export function callOf({ name, argument }: Command): string {
  return `/${name}${argument ? ` [${argument.replace(/^\[(.*)\]$/, '$1')}]` : ''}`;
}

function describe({ description, source }: Command): string {
  return plainLine(source ? `${description} (${describeSource(source)})` : description, 160);
}
