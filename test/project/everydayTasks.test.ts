import { expect, test } from 'vitest';
import { readText } from '../support/sourceFiles.ts';
import {
  bestOfOthers,
  type EverydayTask,
  everydayTasks,
  totalOf,
} from '../workbench/support/everydayTasks.ts';

const tasks: readonly (readonly [string, EverydayTask])[] = Object.entries(everydayTasks);

test.each(tasks)('%s takes at most as many keys, clicks and texts as the best of the others', (_, task) => {
  expect(totalOf(task.count)).toBeLessThanOrEqual(bestOfOthers(task).total);
});

test.each(tasks)('%s is done and counted in a window', async name => {
  expect(await readText('test/workbench/tasks.spec.ts')).toContain(`expectCount(user, '${name}');`);
});
