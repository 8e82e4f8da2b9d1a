import type { Todo } from '../../../protocol/events.ts';

/** A list of which nothing is left to do: what is asked next begins a new one. */
export function areDone(todos: readonly Todo[]): boolean {
  return todos.length > 0 && todos.every(({ status }) => status === 'completed' || status === 'cancelled');
}
