/*
 * Tasks of MCP servers that a run left running (`--detach-tasks`), and their results for the model when the session
 * resumes. A task is open if a call ended with it and none has read it since.
 */

import type { CallItem, SessionState } from '../../protocol/state.ts';
import type { DetachedTask } from '../../protocol/values.ts';
import { messageOf } from '../base/errors.ts';
import { sanitiseLine } from '../base/text.ts';
import type { Session } from '../core/session/session.ts';
import { taskHandleOf } from '../mcp/content/taskHandle.ts';
import { followTaskName } from '../mcp/tools/taskTool.ts';
import type { HeadlessMcpServers } from './headlessMcpServers.ts';

/** Open tasks of the session and its subagents, oldest first. */
export function detachedTasks(state: SessionState): readonly DetachedTask[] {
  const open = new Map<string, DetachedTask>();
  for (const { tool, args, status } of callsOf(state)) {
    if (status.kind !== 'ended' || status.outcome === 'cancelled') continue;
    const { task } = status.display;
    if (task) open.set(keyOf(task.server, task.id), task);
    else if (tool === followTaskName) open.delete(keyOf(String(args.server), String(args.task)));
  }
  return [...open.values()];
}

function keyOf(server: string, id: string): string {
  return JSON.stringify([server, id]);
}

function callsOf(state: SessionState): readonly CallItem[] {
  return state.chapters.flatMap(({ items }) =>
    items.pages.flat().flatMap(item => {
      if (item.type !== 'call') return [];
      return item.agent ? [...callsOf(item.agent.session), item] : [item];
    }),
  );
}

/** Names each open task, and how to get its result. */
export function describeDetached({ sessionId }: SessionState, open: readonly DetachedTask[]): string {
  const names = open.map(task => {
    const { until } = task;
    const limit = until === undefined ? '' : `, which keeps it until ${new Date(until).toISOString()}`;
    return `${nameOf(task)}${limit}`;
  });
  const [what, result] =
    open.length === 1 ? ['A task goes on', 'its result'] : ['Tasks go on', 'their results'];
  return `${what} without this run: ${names.join('; ')}. Get ${result} with --resume ${sessionId} --prompt TEXT.`;
}

interface Delivery {
  readonly session: Session;
  readonly servers: HeadlessMcpServers;
  readonly notify: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Adds the results of open tasks to the history before a prompt is sent.
 * @param detaches a task that still runs, or whose server is unreachable, stays open; if false, it is awaited, and an
 * unreachable server counts as its result
 */
export async function deliverTaskResults(delivery: Delivery, detaches: boolean): Promise<void> {
  for (const task of detachedTasks(delivery.session.state)) {
    if (delivery.signal.aborted) return;
    if (detaches && !(await isOver(task, delivery))) continue;
    if (!detaches) delivery.notify(`Waiting for the task ${nameOf(task)}.`);
    await deliver(task, delivery);
  }
}

/** Notifies the user if the state is unknown. */
async function isOver(task: DetachedTask, { servers, notify, signal }: Delivery): Promise<boolean> {
  const { ServerRefusal } = await import('../mcp/connection/serverErrors.ts');
  try {
    const all = await servers.any();
    const call = { task: task.id, callId: '', signal, progress: () => {}, detaches: true };
    return taskHandleOf(await all.find(task.server).call(call)) === undefined;
  } catch (error) {
    // A server that refuses will not know more later.
    if (error instanceof ServerRefusal) return true;
    if (!signal.aborted) notify(`The task ${nameOf(task)} cannot be read now: ${messageOf(error)}`);
    return false;
  }
}

async function deliver(task: DetachedTask, { session, servers, notify }: Delivery): Promise<void> {
  const { followTaskTool } = await import('../mcp/tools/taskTool.ts');
  const { server, id, until } = task;
  const name = nameOf(task);
  const over = until === undefined ? '' : `, which its server kept until ${new Date(until).toISOString()}`;
  await session.runOwnCall(`Get the result of the task ${name}`, {
    tool: followTaskTool(await servers.any()),
    args: { server, task: id },
    deed: `they got the result of the task ${name}${over}, which an earlier call of yours began`,
  });
  const last = callsOf(session.state).at(-1)?.status;
  if (last?.kind === 'ended' && last.outcome === 'failed')
    notify(`The task ${name} has no result: ${last.display.summary}`);
}

function nameOf({ server, id }: DetachedTask): string {
  return `${sanitiseLine(id, 200)} of the server ${sanitiseLine(server, 60)}`;
}
