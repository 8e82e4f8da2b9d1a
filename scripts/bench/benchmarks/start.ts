import { runAgent } from '../agentRun.ts';
import { type Benchmark, runAlternately } from '../bench.ts';
import type { Contestant } from '../contestants.ts';
import { inTempFolder } from '../folders.ts';
import type { Script } from '../server.ts';
import type { Measurement } from '../statistics.ts';

const sayDone: Script = () => ({ kind: 'text', chunks: ['Done.'] });

export const start: Benchmark = {
  name: 'start',
  about: 'from start of the process to its first request, and to its end',
  run: setting =>
    inTempFolder(async workspace => {
      const collected = await runAlternately(setting, setting.runs, async who => {
        const run = await runAgent(who, { script: sayDone, workspace, requests: 1 });
        return { toRequest: run.exchanges[0]!.askedAt - run.startedAt, toEnd: run.endedAt - run.startedAt };
      });
      const cold = await runAlternately(setting, Math.ceil(setting.runs / 3), who =>
        inTempFolder(async cache => {
          const env = { TMPDIR: cache, TEMP: cache };
          const run = await runAgent(who, { script: sayDone, workspace, requests: 1, env });
          return run.exchanges[0]!.askedAt - run.startedAt;
        }),
      );
      return [...collected].flatMap(([who, runs]) => [
        {
          ...row(
            who,
            'to first request',
            runs.map(run => run.toRequest),
          ),
          ...limitOf(who),
        },
        ...(cold.has(who) ? [row(who, 'to first request, cold caches', cold.get(who)!)] : []),
        row(
          who,
          'whole turn',
          runs.map(run => run.toEnd),
        ),
      ]);
    }),
};

function row(who: Contestant, what: string, samples: readonly number[]): Measurement {
  return { benchmark: 'start', what, who: who.name, unit: 'ms', samples, against: 'minimal loop' };
}

function limitOf(who: Contestant): Pick<Measurement, 'limit'> {
  return who.name === 'Folio' ? { limit: { kind: 'ratio', atMost: 1.7 } } : {};
}
