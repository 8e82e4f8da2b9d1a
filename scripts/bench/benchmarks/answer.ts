import { runAgent } from '../agentRun.ts';
import { type Benchmark, inTurn } from '../bench.ts';
import { inTempFolder } from '../folders.ts';
import type { Script } from '../server.ts';
import { longAnswer } from './longAnswer.ts';

/** From the request to the end of the process, which has then received, folded and shown it all. */
export const answer: Benchmark = {
  name: 'answer',
  about: 'an answer of 2 MB in 20,000 chunks over the wire',
  run: setting =>
    inTempFolder(async workspace => {
      const script: Script = () => ({ kind: 'text', chunks: longAnswer });
      const collected = await inTurn(setting, Math.min(setting.runs, 3), async who => {
        const run = await runAgent(who, { script, workspace, requests: 1 });
        if (run.outputBytes < longAnswer.length * 100)
          throw new Error(`${who.name} did not show the whole answer.`);
        return run.endedAt - run.exchanges[0]!.askedAt;
      });
      return [...collected].map(
        ([who, samples]) =>
          ({
            benchmark: 'answer',
            what: '2 MB in 20,000 chunks',
            who: who.name,
            unit: 'ms',
            samples,
            against: 'minimal loop',
          }) as const,
      );
    }),
};
