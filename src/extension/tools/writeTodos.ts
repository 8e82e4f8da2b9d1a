import * as z from 'zod';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import type { Todo } from '../../protocol/values.ts';
import { sanitiseLine } from '../base/text.ts';
import { defineReadTool, type Tool, ToolFailure } from '../core/tool.ts';

export interface TodoPorts {
  readonly setTodos: (todos: readonly Todo[]) => void;
}

const input = lazySchema(() =>
  z.object({
    todos: z.array(
      z.object({
        description: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']),
      }),
    ),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

const listLimit = 100;

export function writeTodosTool(ports: TodoPorts): Tool<Input, undefined> {
  return defineReadTool({
    name: 'write_todos',
    description:
      'Replaces the task list that the user sees. For work of several steps; update it as soon as a status changes. At most one task is in_progress.',
    input,
    effect: 'note',
    title: ({ todos }) => (todos.length === 0 ? t('Clear the tasks') : t('Update the tasks')),
    run: async given => {
      const todos = given.todos.map(todo => ({ ...todo, description: sanitiseLine(todo.description, 500) }));
      refuseWrong(todos);
      ports.setTodos(todos);
      const lines = todos.map((todo, index) => `${index + 1}. [${todo.status}] ${todo.description}`);
      const done = todos.filter(todo => todo.status === 'completed').length;
      return {
        text:
          todos.length === 0 ? 'The task list is empty now.' : `The task list is now:\n${lines.join('\n')}`,
        display: {
          summary: () => (todos.length === 0 ? t('No tasks') : t('{0} of {1} done', done, todos.length)),
          detail: { kind: 'todos', todos },
        },
      };
    },
  });
}

function refuseWrong(todos: readonly Todo[]): void {
  if (todos.length > listLimit) {
    throw new ToolFailure(`A list of ${todos.length} tasks helps nobody: at most ${listLimit}.`, () =>
      t('Too many tasks'),
    );
  }
  if (todos.some(todo => todo.description === ''))
    throw new ToolFailure(() => t('A task has no description.'));
  const active = todos.filter(todo => todo.status === 'in_progress').length;
  if (active <= 1) return;
  throw new ToolFailure(`${active} tasks are in_progress; at most one can be. Nothing was changed.`, () =>
    t('Two tasks in progress'),
  );
}
