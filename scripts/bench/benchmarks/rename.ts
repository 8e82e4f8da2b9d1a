import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { call, text } from '../../../test/support/geminiAnswers.ts';
import { eventsOf } from '../../../test/support/headlessProgram.ts';
import { HeadlessWorld } from '../../../test/support/headlessWorld.ts';
import { renameSample } from '../../../test/support/renameSample.ts';
import { projectRoot } from '../../run.ts';
import type { Benchmark } from '../bench.ts';

const files = 200;

/** Measures renaming a symbol in many files. In a window: `npm run prove -- rename`. */
export const rename: Benchmark = {
  name: 'rename',
  about: `rename_symbol over ${files} files without a window, from the call to its result`,
  run: async ({ runs, say }) => {
    const samples: number[] = [];
    for (let run = 0; run <= Math.min(runs, 5); run++) {
      say(run === 0 ? 'warming up' : `run ${run}`);
      const sample = await measure();
      if (run > 0) samples.push(sample);
    }
    return [
      {
        benchmark: 'rename',
        what: `rename_symbol over ${files} files`,
        who: 'Folio',
        unit: 'ms',
        samples,
        limit: { kind: 'median', atMost: 3_000 },
      },
    ];
  },
};

async function measure(): Promise<number> {
  const world = await HeadlessWorld.make();
  try {
    for (const [path, content] of Object.entries(renameSample(files)))
      await writeFile(join(world.workspace, path), content);
    const modules = join(world.workspace, 'node_modules');
    await mkdir(modules);
    await symlink(resolve(projectRoot, 'node_modules', 'typescript'), join(modules, 'typescript'));
    world.server.script(
      [call('rename_symbol', { name: 'computeSum', new_name: 'addUp' })],
      [text('Renamed.')],
    );
    const args = ['--approval-mode', 'yolo', '--trusted', '--server-start', '120'];
    const { out, error } = await world.run([
      ...args,
      '--output-format',
      'stream-json',
      '--prompt',
      'Rename it.',
    ]);
    const events = eventsOf(out);
    const started = events.find(({ type }) => type === 'call.requested');
    const ended = events.find(({ type }) => type === 'call.ended');
    if (ended?.type !== 'call.ended' || !started || ended.outcome !== 'ok')
      throw new Error(`The rename did not end well: ${JSON.stringify(ended)} ${error}`);
    return ended.at - started.at;
  } finally {
    await world.dispose();
  }
}
