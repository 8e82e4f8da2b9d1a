/* A prompt of the command line: sent, or carried out when it is a command. */

import type { TurnEnd } from '../../protocol/events.ts';
import type { Attachment } from '../../protocol/intentions.ts';
import type { Command } from '../core/commands/commands.ts';
import type { CommandTable } from '../core/commands/table/commandTable.ts';
import { parseCommand } from '../core/commands/table/parseCommand.ts';
import type { Session } from '../core/session/session.ts';
import { PromptError } from './arguments.ts';
import { type PromptRun, type ScriptRun, scriptSurface } from './commandSurface.ts';

export type AnswerPrompt = (session: Session, promptRun: PromptRun) => Promise<TurnEnd>;

/** Decides how a prompt is answered. Throws `PromptError`, before there is a session, when it cannot be understood. */
export function readPrompt(
  text: string,
  table: CommandTable,
  attachments: readonly Attachment[] = [],
): AnswerPrompt {
  const parsed = parseCommand(text, table);
  switch (parsed.kind) {
    case 'prompt':
      return session => session.send(text, attachments);
    case 'refused':
      throw new PromptError(parsed.sentence);
    case 'command':
      return (session, promptRun) =>
        runCommand(parsed.command, parsed.argument, { session, table, ...promptRun });
  }
}

async function runCommand(command: Command, argument: string, run: ScriptRun): Promise<TurnEnd> {
  let end: TurnEnd = { kind: 'rested' };
  const surface = scriptSurface(run, ended => {
    end = ended;
  });
  try {
    const refusal = await command.run(surface, argument);
    return refusal ? { kind: 'failed', trouble: { kind: 'command', message: refusal.sentence } } : end;
  } catch (error) {
    if (run.signal.aborted) return { kind: 'stopped' };
    throw error;
  }
}
