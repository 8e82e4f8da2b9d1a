import { runAgent } from '../agentRun.ts';
import { type Benchmark, type BenchSetting, runAlternately } from '../bench.ts';
import { inTempFolder } from '../folders.ts';
import type { Script } from '../server.ts';
import type { Measurement } from '../statistics.ts';
import { longAnswer, recurringAnswer } from './longAnswer.ts';

const answers = { '2 MB in 20,000 chunks': longAnswer, 'the same in words that recur': recurringAnswer };

/** Measures a long answer from the request to the end of the process. */
export const answer: Benchmark = {
  name: 'answer',
  about: 'an answer of 2 MB in 20,000 chunks over the wire',
  run: setting =>
    inTempFolder(async workspace => {
      const measurements: Measurement[] = [];
      for (const [what, chunks] of Object.entries(answers))
        measurements.push(...(await measure(what, chunks, setting, workspace)));
      return measurements;
    }),
};

async function measure(
  what: string,
  chunks: readonly string[],
  setting: BenchSetting,
  workspace: string,
): Promise<Measurement[]> {
  const script: Script = () => ({ kind: 'text', chunks });
  const collected = await runAlternately(setting, Math.min(setting.runs, 3), async who => {
    const run = await runAgent(who, { script, workspace, requests: 1 });
    if (run.outputBytes < chunks.length * 100) throw new Error(`${who.name} did not show the whole answer.`);
    return run.endedAt - run.exchanges[0]!.askedAt;
  });
  return [...collected].map(([who, samples]) => ({
    benchmark: 'answer',
    what,
    who: who.name,
    unit: 'ms',
    samples,
    against: 'minimal loop',
    limit: who.name === 'Folio' ? { kind: 'ratio', atMost: 3 } : undefined,
  }));
}
