/*
 * Runs a command of the user from the prompt. It uses the same calls as the model's, with the user as caller: the
 * policy does not ask, no hooks run, and file changes are attributed to the user.
 */

import type { SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { userCommandTool } from '../../../protocol/state.ts';
import type { Caller, CallServices, ResultPart } from '../calls/calling.ts';
import { runCalls } from '../calls/scheduler.ts';
import type { AnyTool } from '../tool.ts';

interface OwnCommand {
  readonly command: string;
  readonly turnId: string;
}

/** Tells the model that the result is missing. */
export function describeMissingCommandResult(command: string): string {
  return `${lead(command)} Whether and how it ended is not known.`;
}

/** @param say adds the command and its output to the history, for the next prompt */
export async function runUserCommand(
  { command, turnId }: OwnCommand,
  calling: CallServices,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const own = { ...calling, caller: { ...calling.caller, own: true } } as const;
  const { text } = await runCall('run_shell_command', { command }, turnId, asUsers(own), signal);
  say(`${lead(command)} Nothing is asked of you by that.\n${text}`);
  // Stopping only ends the command, since there is no model turn to retry.
  return { kind: 'rested' };
}

/** A worktree's set-up is shown as the user's command, but with approval and sandbox of an agent's command. */
export async function runSetUp(
  { command, turnId }: OwnCommand,
  calling: CallServices,
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

/** A call by the user. Its file changes wait for review like the model's. */
export interface UserCall {
  readonly tool: AnyTool;
  /** Tells the model what the user or the page did. */
  readonly deed: string;
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The call comes from a server's page: policy, approvals and hooks apply as for the agent. Only the page gets the
   * result.
   */
  readonly by?: 'page';
}

/** @param say also receives the result's blobs */
export async function runUserTool(
  { tool, args, deed, by }: UserCall,
  turnId: string,
  calling: CallServices,
  say: (text: string, blobs?: ResultPart['blobs']) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { caller } = calling;
  const tools = new Map([[tool.name, tool]]);
  if (by === 'page') {
    await runCall(tool.name, args, turnId, { ...calling, caller: { ...caller, tools } }, signal);
    say(`${describeUserAction({ deed, by })} Nothing is asked of you by that; its result went to the page.`);
    return { kind: 'rested' };
  }
  // The mode restricts the agent, not the user.
  const mode = () => 'default' as const;
  const own = { ...calling, caller: { ...caller, own: true, hooks: undefined, tools, mode } } as const;
  const { text, blobs } = await runCall(tool.name, args, turnId, own, signal);
  say(`${describeUserAction({ deed })} Nothing is asked of you by that.\n${text}`, blobs);
  return { kind: 'rested' };
}

/** Also used in the history until the call has ended. */
export function describeUserAction({ deed, by }: Pick<UserCall, 'deed' | 'by'>): string {
  const who = by === 'page' ? 'This happened' : 'The user did this';
  return `[${who}, outside of your work: ${deed}.]`;
}

async function runCall(
  name: string,
  args: Readonly<Record<string, unknown>>,
  turnId: string,
  calling: CallServices,
  signal: AbortSignal,
): Promise<Pick<ResultPart, 'text' | 'blobs'>> {
  const part = { kind: 'call', id: calling.clock.newId(), name, args } as const;
  const [result] = await runCalls([part], turnId, calling, signal);
  return result ?? { text: '' };
}

function lead(command: string): string {
  return `[The user ran a command of their own, outside of your work: ${command}]`;
}

/** Shows the call as the user's, without hooks and without review of its changes. */
function asUsers(calling: CallServices): CallServices {
  const { caller, changes } = calling;
  return {
    ...calling,
    caller: {
      ...caller,
      hooks: undefined,
      emit: event =>
        caller.emit(event.type === 'call.requested' ? { ...event, tool: userCommandTool } : event),
    },
    changes: {
      filesOf: (writer, scan) => changes.filesOf(writer, scan),
      watch: async (_call, run) => ({ result: await run() }),
    },
  };
}
