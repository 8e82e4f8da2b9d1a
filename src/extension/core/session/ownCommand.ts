/*
 * A command that the user runs from the prompt. It passes the same calls as those of the model, with the user as the
 * caller: the policy asks nothing, no hook runs around it, and what it changes in files is the user's.
 */

import type { SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { ownCommandTool } from '../../../protocol/state.ts';
import type { Caller, Calling, ResultPart } from '../calls/calling.ts';
import { runCalls } from '../calls/scheduler.ts';
import type { AnyTool } from '../tool.ts';

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
  const own = { ...calling, caller: { ...calling.caller, own: true } } as const;
  const { text } = await runCall('run_shell_command', { command }, turnId, asUsers(own), signal);
  say(`${lead(command)} Nothing is asked of you by that.\n${text}`);
  // A stop ends the command and nothing else: there is no turn of the model to retry.
  return { kind: 'rested' };
}

/** The set-up of a worktree is shown as the user's own, and asked about and held as a command of the agent. */
export async function runSetUp(
  { command, turnId }: OwnCommand,
  calling: Calling,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { caller } = calling;
  let failure: string | undefined;
  const emit: Caller['emit'] = event => {
    if (event.type === 'call.ended') failure = findFailure(event);
    caller.emit(event);
  };
  const watched = asUsers({ ...calling, caller: { ...caller, emit } });
  const result = await runCall('run_shell_command', { command }, turnId, watched, signal);
  say(`[Before your work this ran, to set the worktree up: ${command}]\n${result.text}`);
  if (failure !== undefined) {
    const text = t('The setup of the worktree failed ({0}). You can use the worktree anyway.', failure);
    caller.emit({ type: 'notice.shown', level: 'warning', text });
  }
  return { kind: 'rested' };
}

function findFailure({ outcome, display }: SessionEventBody<'call.ended'>): string | undefined {
  const detail = display?.detail;
  const isDone = outcome === 'ok' && detail?.kind === 'command' && detail.exitCode === 0;
  return isDone ? undefined : (display?.summary ?? outcome);
}

/** A tool that the user calls. Its changes to files wait for review, as those of the model do. */
export interface OwnCall {
  readonly tool: AnyTool;
  /** Says for the model what the user did, or the page. */
  readonly deed: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** A page of a server calls: by the same policy, asks and hooks as the agent. The result goes to the page alone. */
  readonly by?: 'page';
}

/** @param say as above, also what the result has beside the text */
export async function runOwnTool(
  { tool, args, deed, by }: OwnCall,
  turnId: string,
  calling: Calling,
  say: (text: string, blobs?: ResultPart['blobs']) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { caller } = calling;
  const tools = new Map([[tool.name, tool]]);
  if (by === 'page') {
    await runCall(tool.name, args, turnId, { ...calling, caller: { ...caller, tools } }, signal);
    say(`${describeDeed({ deed, by })} Nothing is asked of you by that; its result went to the page.`);
    return { kind: 'rested' };
  }
  // The mode says what the agent may do unasked, and nothing of its user.
  const mode = () => 'default' as const;
  const own = { ...calling, caller: { ...caller, own: true, hooks: undefined, tools, mode } } as const;
  const { text, blobs } = await runCall(tool.name, args, turnId, own, signal);
  say(`${describeDeed({ deed })} Nothing is asked of you by that.\n${text}`, blobs);
  return { kind: 'rested' };
}

/** Stands in the history, too, until the call has ended. */
export function describeDeed({ deed, by }: Pick<OwnCall, 'deed' | 'by'>): string {
  const who = by === 'page' ? 'This happened' : 'The user did this';
  return `[${who}, outside of your work: ${deed}.]`;
}

async function runCall(
  name: string,
  args: Readonly<Record<string, unknown>>,
  turnId: string,
  calling: Calling,
  signal: AbortSignal,
): Promise<Pick<ResultPart, 'text' | 'blobs'>> {
  const part = { kind: 'call', id: calling.clock.newId(), name, args } as const;
  const [result] = await runCalls([part], turnId, calling, signal);
  return result ?? { text: '' };
}

function lead(command: string): string {
  return `[The user ran a command of their own, outside of your work: ${command}]`;
}

/** The page shows it as the user's, no hook runs around it, and its changes are not reviewed. */
function asUsers(calling: Calling): Calling {
  const { caller, changes } = calling;
  return {
    ...calling,
    caller: {
      ...caller,
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
