import { runAgent } from '../agentRun.ts';
import { type Benchmark, unlessPeerFails } from '../bench.ts';
import { inTempFolder } from '../folders.ts';
import type { Script } from '../server.ts';
import type { Measurement } from '../statistics.ts';

const sayDone: Script = () => ({ kind: 'text', chunks: ['Done.'] });

export const request: Benchmark = {
  name: 'request',
  about: 'bytes of the first request for a one-word prompt in an empty folder',
  run: ({ contestants, say }) =>
    inTempFolder(async workspace => {
      const measurements: Measurement[] = [];
      for (const who of contestants) {
        const run = await unlessPeerFails(who, say, () =>
          runAgent(who, { script: sayDone, workspace, requests: 1 }),
        );
        if (run === undefined) continue;
        measurements.push({
          benchmark: 'request',
          what: 'first request',
          who: who.name,
          unit: 'bytes',
          samples: [run.exchanges[0]!.bytes],
          ...(who.name === 'Folio' && { limit: { kind: 'median', atMost: 20_000 } }),
        });
      }
      return measurements;
    }),
};
