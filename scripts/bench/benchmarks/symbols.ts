import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';
import { playTask, type TaskCost } from '../symbols/playTask.ts';
import { makeTasks } from '../symbols/tasks.ts';

/** Number of work files. With those that they use, about a hundred. */
const jobs = 90;
const ways = [
  ['spelling', 'grep and read'],
  ['meaning', 'language server'],
] as const;

/** Counts the tokens that language tools save. One run suffices, since it is deterministic. */
export const symbols: Benchmark = {
  name: 'symbols',
  about: 'tokens of three tasks, by the tools that ask a language server and by grep and read',
  run: async ({ say }) => {
    const measurements: Measurement[] = [];
    const sums = new Map<string, number>();
    const add = (what: string, who: string, tokens: number) => {
      measurements.push({
        benchmark: 'symbols',
        what,
        who,
        unit: 'tokens',
        samples: [tokens],
        against: 'grep and read',
      });
    };
    for (const task of makeTasks(jobs)) {
      for (const [way, who] of ways) {
        const { tokens, requests }: TaskCost = await playTask(task, way);
        say(`${task.name}, ${who}: ${requests} requests`);
        add(task.name, who, tokens);
        sums.set(who, (sums.get(who) ?? 0) + tokens);
      }
    }
    for (const [who, tokens] of sums) add('all together', who, tokens);
    return measurements.map(one =>
      one.what === 'all together' && one.who === 'language server'
        ? { ...one, limit: { kind: 'ratio', atMost: 0.4 } }
        : one,
    );
  },
};
