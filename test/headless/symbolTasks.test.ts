import { expect, test } from 'vitest';
import { playTask } from '../../scripts/bench/symbols/playTask.ts';
import { makeTasks } from '../../scripts/bench/symbols/tasks.ts';

/** A small run size of `npm run bench -- --only symbols`; the larger the project, the more the servers save. */
const tasks = makeTasks(18);

test.each(tasks)(
  'to $name takes fewer steps and tokens with a language server than with grep and read',
  async task => {
    const spelling = await playTask(task, 'spelling');
    const meaning = await playTask(task, 'meaning');
    expect(meaning.requests).toBe(task.byMeaning.length + 1);
    expect(spelling.requests).toBe(task.bySpelling.length + 1);
    expect(meaning.tokens).toBeLessThan(spelling.tokens * most[task.name]!);
  },
);

const most: Readonly<Record<string, number>> = {
  'rename a method': 0.4,
  'find all callers': 0.7,
  'mend types over files': 0.8,
};
