/*
 * A command that the user runs from the prompt. It passes the same calls as those of the model, with the user as the
 * caller: the policy asks nothing, no hook runs around it, and what it changes in files is the user's.
 */

import type { TurnEnd } from '../../../protocol/events.ts';
import { ownCommandTool } from '../../../protocol/state.ts';
import type { Calling } from '../calls/calling.ts';
import { runCalls } from '../calls/scheduler.ts';

interface OwnCommand {
  readonly command: string;
  readonly turnId: string;
}

/** The model reads this where the result never came. */
export function describeLost(command: string): string {
  return `${lead(command)} Whether and how it ended is not known.`;
}

/** @param say puts the command and its output into the history, for the next prompt */
export async function runOwnCommand(
  { command, turnId }: OwnCommand,
  calling: Calling,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const part = {
    kind: 'call',
    id: calling.clock.newId(),
    name: 'run_shell_command',
    args: { command },
  } as const;
  const [result] = await runCalls([part], turnId, ofUser(calling), signal);
  say(`${lead(command)} Nothing is asked of you by that.\n${result?.text ?? ''}`);
  // A stop ends the command and nothing else: there is no turn of the model to retry.
  return { kind: 'rested' };
}

function lead(command: string): string {
  return `[The user ran a command of their own, outside of your work: ${command}]`;
}

function ofUser(calling: Calling): Calling {
  const { caller, changes } = calling;
  return {
    ...calling,
    caller: {
      ...caller,
      own: true,
      hooks: undefined,
      emit: event =>
        caller.emit(event.type === 'call.requested' ? { ...event, tool: ownCommandTool } : event),
    },
    changes: {
      filesOf: (writer, scan) => changes.filesOf(writer, scan),
      watch: async (_call, run) => ({ result: await run() }),
    },
  };
}
