/* Runs slash commands in a headless run. */

import type { TurnEnd } from '../../protocol/events.ts';
import { serverPrompts } from '../compose/serverTools.ts';
import type { Command } from '../core/commands/commands.ts';
import { type CommandTable, currentTable } from '../core/commands/table/commandTable.ts';
import { parseCommand, runCommand } from '../core/commands/table/parseCommand.ts';
import { RunRefusal } from './arguments.ts';
import { type AnswerPrompt, makeCommandContext, type SessionRunContext } from './commandContext.ts';
import type { HeadlessAgent } from './headlessAgent.ts';

export async function loadCommands({ additions, servers, trusted }: HeadlessAgent): Promise<CommandTable> {
  await additions.refresh();
  const advice = {
    trust: 'run without --untrusted, or with --trusted',
    letCount: 'do so in a window, or run with --trusted',
  };
  return currentTable(additions, { trusted, advice, prompts: serverPrompts(() => servers.present) });
}

/** Returns `undefined` if the text is no command. Throws `RunRefusal` if it looks like one but is none. */
export function resolveCommand(text: string, table: CommandTable): AnswerPrompt | undefined {
  const parsed = parseCommand(text, table);
  switch (parsed.kind) {
    case 'prompt':
      return undefined;
    case 'refused':
      throw new RunRefusal(parsed.sentence);
    case 'command':
      return (session, runContext) =>
        runInScript(parsed.command, parsed.argument, { session, table, ...runContext });
  }
}

async function runInScript(command: Command, argument: string, run: SessionRunContext): Promise<TurnEnd> {
  let end: TurnEnd = { kind: 'rested' };
  const surface = makeCommandContext(run, ended => {
    end = ended;
  });
  try {
    const message = await runCommand(command, surface, argument);
    return message === undefined ? end : { kind: 'failed', trouble: { kind: 'command', message } };
  } catch (error) {
    if (run.signal.aborted) return { kind: 'stopped' };
    throw error;
  }
}
