import { type AgentRun, runAgent } from '../agentRun.ts';
import { type Benchmark, type BenchSetting, runAlternately } from '../bench.ts';
import { inTempFolder, noteAt, writeNotes } from '../folders.ts';
import type { Script } from '../server.ts';
import { type Measurement, median } from '../statistics.ts';

/** Steps around which overhead is measured; below, the number of samples on each side. */
const points = [50, 300];
const around = 10;

/** Measures the time from the end of an answer that calls a tool to the next request. */
export const steps: Benchmark = {
  name: 'steps',
  about: 'overhead of a step that reads a small file, at the 50th and at the 300th step',
  run: setting =>
    inTempFolder(async workspace => {
      await writeNotes(workspace, points.at(-1)! + around, 1000);
      const measurements: Measurement[] = [];
      // Contestants with a limit of steps are measured up to it.
      const far = setting.contestants.filter(who => who.maxSteps > points.at(-1)! + around);
      const near = setting.contestants.filter(who => !far.includes(who));
      measurements.push(...(await measure({ ...setting, contestants: far }, workspace, points)));
      if (near.length > 0) {
        measurements.push(
          ...(await measure({ ...setting, contestants: near }, workspace, points.slice(0, 1))),
        );
      }
      return measurements;
    }),
};

async function measure(
  setting: BenchSetting,
  workspace: string,
  at: readonly number[],
): Promise<Measurement[]> {
  const count = at.at(-1)! + around;
  const script: Script = step =>
    step < count
      ? { kind: 'call', name: 'read_file', args: { file_path: noteAt(step) } }
      : { kind: 'text', chunks: ['Done.'] };
  const collected = await runAlternately(setting, Math.min(setting.runs, 5), async who => {
    const run = await runAgent(who, { script, workspace, requests: count + 1 });
    return at.map(point => overheadAt(run, point));
  });
  return [...collected].flatMap(([who, samples]) =>
    at.map(
      (point, index): Measurement => ({
        benchmark: 'steps',
        what: `overhead at step ${point}`,
        who: who.name,
        unit: 'ms',
        samples: samples.map(sample => sample[index]!),
        against: 'minimal loop',
        ...(who.name === 'Folio' && { limit: { kind: 'ratio', atMost: 1.7 } }),
      }),
    ),
  );
}

function overheadAt({ exchanges }: AgentRun, point: number): number {
  const overheads = [];
  for (let step = point - around; step < point + around; step++) {
    overheads.push(exchanges[step]!.askedAt - exchanges[step - 1]!.answeredAt);
  }
  return median(overheads);
}
