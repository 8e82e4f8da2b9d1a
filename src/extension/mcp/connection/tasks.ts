/*
 * The extension for tasks (`io.modelcontextprotocol/tasks`) of servers with protocol 2026-07-28. The server may answer
 * a call with a handle. Folio polls its state until it has a result, and answers its questions by `tasks/update`.
 */

import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { SessionClosedError } from '../../base/abort.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { oneLine, sanitiseLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import { isAnswerLost } from '../transport/refusedMessage.ts';
import { anyResult } from './callTool.ts';
import { type McpConnectionParts, noTimeout } from './connectionParts.ts';
import type { ElicitationQueue } from './elicitationQueue.ts';
import { rawResultOf } from './originalAnswers.ts';
import { ServerRefusal } from './serverErrors.ts';
import { answerServerRequests } from './serverMessages.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

type Answer = Readonly<Record<string, unknown>>;

interface TaskPorts {
  /** Sends one request of the extension. */
  readonly request: (method: string, params: Answer, signal: AbortSignal) => Promise<Answer>;
  /** Answers a request of the server. Resolves to `undefined` for requests that Folio does not support. */
  readonly answer: (method: string, params: Answer, signal: AbortSignal) => Promise<Answer | undefined>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly debug: (line: string) => void;
}

interface FollowedTask {
  readonly taskId: string;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** Called whenever the server sends something. */
  readonly alive: () => void;
  /** Leave the task to the server while it works and asks nothing. */
  readonly detaches?: boolean;
}

const taskState = z.looseObject({
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
});

type TaskState = z.infer<typeof taskState>;

const pollMs = { usual: 1_000, least: 100, most: 60_000 };
const maxCancelMs = 2_000;

export function taskPorts(
  client: Client,
  parts: McpConnectionParts,
  questions: ElicitationQueue,
  meta: Answer | undefined,
): TaskPorts {
  const { clock, debug } = parts;
  const request = async (method: string, params: Answer, signal: AbortSignal): Promise<Answer> => {
    const asked = { method, params: { ...params, _meta: meta } };
    return rawResultOf(await client.request(asked as never, anyResult, { signal, timeout: noTimeout }));
  };
  return { request, answer: answerServerRequests(parts, questions), clock, debug };
}

/**
 * Resolves with the result of the call, or with the handle of a task that is left to the server. An abort cancels the
 * task, unless its session closes: the task then goes on, and can be followed by its id.
 */
export async function followTask(ports: TaskPorts, task: FollowedTask): Promise<Answer> {
  const { taskId, signal } = task;
  try {
    return await pollTask(ports, task);
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof SessionClosedError)) await cancelTask(ports, taskId);
    throw error;
  }
}

async function pollTask(ports: TaskPorts, task: FollowedTask): Promise<Answer> {
  const answered = new Set<string>();
  for (let reported = ''; ; ) {
    const now = await readState(ports, task);
    const line = oneLine(now?.statusMessage ?? '', 500);
    if (line !== '' && line !== reported) task.progress(line);
    reported = line || reported;
    const result = now && resultOf(now);
    if (result) return result;
    if (now?.status === 'working' && task.detaches)
      return { ...now, resultType: 'task', taskId: task.taskId };
    if (now?.status === 'input_required') await answerRequests(ports, task, now, answered);
    const pause = now?.pollIntervalMs ?? pollMs.usual;
    await ports.clock.sleep(Math.min(Math.max(pause, pollMs.least), pollMs.most), task.signal);
  }
}

/**
 * Resolves to `undefined` if the answer broke off. Reading again is safe, so the caller repeats it until the server was
 * silent for too long.
 */
async function readState(
  { request, debug }: TaskPorts,
  { taskId, signal, alive }: FollowedTask,
): Promise<TaskState | undefined> {
  try {
    const state = taskState.parse(await request('tasks/get', { taskId }, signal));
    alive();
    return state;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAnswerLost(error)) throw error;
    debug(messageOf(error));
    return undefined;
  }
}

function resultOf({ status, statusMessage, result, error }: TaskState): Answer | undefined {
  switch (status) {
    case 'working':
    case 'input_required':
      return undefined;
    case 'completed':
      return result ?? {};
    case 'failed':
      throw new ServerRefusal(() => error?.message ?? statusMessage ?? t('Its task ended without a result.'));
    case 'cancelled':
      throw new LocalizedError(() => t('Its task ended without a result.'));
  }
}

/** Asks each question once, even if the server repeats it. */
async function answerRequests(
  { request, answer }: TaskPorts,
  { taskId, signal }: FollowedTask,
  { inputRequests = {} }: TaskState,
  answered: Set<string>,
): Promise<void> {
  for (const [key, asked] of Object.entries(inputRequests)) {
    if (answered.has(key)) continue;
    const { method, params } = isRecord(asked) ? asked : {};
    const said =
      typeof method === 'string' ? await answer(method, isRecord(params) ? params : {}, signal) : undefined;
    signal.throwIfAborted();
    if (!said) {
      await request('tasks/cancel', { taskId }, signal);
      throw new LocalizedError(() =>
        t('it requested "{0}", which Folio does not support.', sanitiseLine(String(method), 60)),
      );
    }
    await request('tasks/update', { taskId, inputResponses: { [key]: said } }, signal);
    answered.add(key);
  }
}

/** The server may continue regardless. */
async function cancelTask({ request, debug }: TaskPorts, taskId: string): Promise<void> {
  await request('tasks/cancel', { taskId }, AbortSignal.timeout(maxCancelMs)).catch((error: unknown) =>
    debug(messageOf(error)),
  );
}
