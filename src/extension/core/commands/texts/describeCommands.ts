import { plainLine } from '../../../base/text.ts';
import type { Command } from '../commands.ts';
import { below, describeSource } from '../completeCommand.ts';

/** Each command, followed by the words that it knows as commands of their own. */
export function withWords(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap(command => [
    command,
    ...withWords((command.words ?? []).map(word => below(command, word))),
  ]);
}

/** For a terminal, one line each. */
export function listCommands(commands: readonly Command[]): string {
  return withWords(commands)
    .map(each => `${callOf(each).padEnd(32)} ${describe(each)}`)
    .join('\n');
}

/** `/model [name]` */
export function callOf({ name, argument }: Command): string {
  return `/${name}${argument ? ` [${argument.replace(/^\[(.*)\]$/, '$1')}]` : ''}`;
}

function describe({ description, source }: Command): string {
  return plainLine(source ? `${description} (${describeSource(source)})` : description, 160);
}
