import { sanitiseLine } from '../../../base/text.ts';
import type { Command } from '../commands.ts';
import { describeSource, subCommandOf } from '../completeCommand.ts';

/** Lists each command, followed by its subcommands. */
export function flattenSubCommands(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap(command => [
    command,
    ...flattenSubCommands((command.words ?? []).map(word => subCommandOf(command, word))),
  ]);
}

/** One line per command, for a terminal. */
export function formatCommandLines(commands: readonly Command[]): string {
  return flattenSubCommands(commands)
    .map(each => `${formatCommandUsage(each).padEnd(32)} ${describe(each)}`)
    .join('\n');
}

/** Formats `/model [name]`. */
export function formatCommandUsage({ name, argument }: Command): string {
  return `/${name}${argument ? ` [${argument.replace(/^\[(.*)\]$/, '$1')}]` : ''}`;
}

function describe({ description, source }: Command): string {
  return sanitiseLine(source ? `${description} (${describeSource(source)})` : description, 160);
}
