import type { Benchmark } from '../bench.ts';
import { makeDebugTasks } from '../debugging/tasks.ts';
import type { Measurement } from '../statistics.ts';
import { playTask } from '../symbols/playTask.ts';

const ways = [
  ['spelling', 'prints'],
  ['meaning', 'debugger'],
] as const;

/** Counts the tokens that the debugger saves. One run suffices, since it is deterministic. Python needs debugpy. */
export const debugging: Benchmark = {
  name: 'debugging',
  about: 'tokens of three tasks, under the debugger and by prints; needs debugpy in $FOLIO_BENCH_PYTHON',
  run: async ({ say }) => {
    const python = process.env.FOLIO_BENCH_PYTHON ?? 'python3';
    const settings = {
      'folio.debug.adapter': `${python} -m debugpy.adapter`,
      'folio.languageServers': { '*': false },
    };
    const measurements: Measurement[] = [];
    const sums = new Map<string, number>();
    const add = (what: string, who: string, tokens: number, limit?: Measurement['limit']) => {
      const samples = [tokens];
      measurements.push({
        benchmark: 'debugging',
        what,
        who,
        unit: 'tokens',
        samples,
        against: 'prints',
        limit,
      });
    };
    for (const task of makeDebugTasks(python)) {
      for (const [way, who] of ways) {
        const { tokens, requests } = await playTask(task, way, settings);
        say(`${task.name}, ${who}: ${requests} requests`);
        add(task.name, who, tokens);
        sums.set(who, (sums.get(who) ?? 0) + tokens);
      }
    }
    for (const [who, tokens] of sums)
      add('all together', who, tokens, who === 'debugger' ? { kind: 'ratio', atMost: 0.5 } : undefined);
    return measurements;
  },
};
