import { isRecord } from '../../base/record.ts';

/** A server's task that outlives the call that started it. */
export interface TaskHandle {
  readonly id: string;
  /** When the server deletes it, by its own clock, in milliseconds since the Unix epoch. Omitted if it does not say. */
  readonly until?: number;
}

/** Returns the handle in an answer to a call, or `undefined` if the answer is the result. */
export function taskHandleOf(answer: unknown): TaskHandle | undefined {
  if (!isRecord(answer) || answer.resultType !== 'task' || typeof answer.taskId !== 'string')
    return undefined;
  const { taskId: id, createdAt, ttlMs } = answer;
  const until = typeof ttlMs === 'number' ? Date.parse(String(createdAt)) + ttlMs : Number.NaN;
  return { id, until: Number.isNaN(until) ? undefined : until };
}
