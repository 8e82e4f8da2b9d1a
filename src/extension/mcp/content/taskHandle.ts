import { isRecord } from '../../base/record.ts';

/** A task of a server that outlives the call that began it. */
export interface TaskHandle {
  readonly id: string;
  /** When the server forgets it, by its own clock, milliseconds since the Unix epoch; absent: it does not say. */
  readonly until?: number;
}

/** The handle in an answer to a call; undefined: it is the result. */
export function taskOf(answer: unknown): TaskHandle | undefined {
  if (!isRecord(answer) || answer.resultType !== 'task' || typeof answer.taskId !== 'string')
    return undefined;
  const { taskId: id, createdAt, ttlMs } = answer;
  const until = typeof ttlMs === 'number' ? Date.parse(String(createdAt)) + ttlMs : Number.NaN;
  return { id, until: Number.isNaN(until) ? undefined : until };
}
