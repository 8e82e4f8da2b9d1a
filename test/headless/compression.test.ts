import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, refusal, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessResult } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { counted, long, summary } from '../support/wireWorld.ts';

const read = call('read_file', { file_path: 'a.txt' });
/** Beyond half of what the model takes, and beyond all of it. */
const [much, tooMuch] = [600_000, 1_100_000];

describe('automatic compression in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let server: GeminiServer;
  beforeEach(async () => {
    ({ server } = world);
    await writeFile(join(world.workspace, 'a.txt'), long(600));
  });

  const run = (...more: readonly string[]): Promise<HeadlessResult> =>
    world.run(['--prompt', 'Read', '--output-format', 'stream-json', ...more]);
  const compressed = ({ out }: HeadlessResult) =>
    eventsOf(out).flatMap(event => {
      if (event.type === 'compression.applied') return ['applied'];
      return event.type === 'compression.ended' ? [event.end.kind] : [];
    });

  it('comes again at the next request after a summary that nobody can use', {
    tags: ['longer'],
  }, async () => {
    server.script(
      [read],
      counted(much, read),
      [text('No snapshot.')],
      counted(much, read),
      ...summary('4711'),
      [text('Done.')],
    );
    const result = await run();
    expect(result).toMatchObject({ code: 0, error: '' });
    expect(compressed(result)).toEqual(['failed', 'applied']);
    expect(server.unplayed).toBe(0);
  });

  it('tries its own request again as often as any other', async () => {
    const busy = refusal(503, 'UNAVAILABLE', 'Busy. Please retry in 5ms.');
    server.script([read], counted(much, read), busy, ...summary('4711'), [text('Done.')]);
    const result = await run();
    expect(result).toMatchObject({ code: 0, error: '' });
    expect(compressed(result)).toEqual(['applied']);
  });

  it.skipIf(process.platform === 'win32')(
    'comes after a hook that objected once',
    { tags: ['longer'] },
    async () => {
      const command = '[ -e asked ] && exit 0; touch asked; echo "Not now" >&2; exit 2';
      const settings = { hooks: { PreCompress: [{ hooks: [{ type: 'command', command }] }] } };
      const file = join(world.folder, 'settings.json');
      await writeFile(file, JSON.stringify(settings));
      server.script([read], counted(much, read), counted(much, read), ...summary('4711'), [text('Done.')]);
      const result = await run('--settings', file);
      expect(result.code).toBe(0);
      expect(compressed(result)).toEqual(['failed', 'applied']);
    },
  );

  it('pauses after a summary that was too long, also in a later run, but not where a request would not fit', async () => {
    server.script(
      [read],
      counted(much, read),
      ...summary(long(4_000)),
      counted(much, read),
      counted(much, text('Read.')),
    );
    expect(compressed(await run())).toEqual(['failed']);
    server.script(counted(tooMuch, read), ...summary('4711'), [text('Done.')]);
    const later = await run('--resume', 'latest');
    expect(later).toMatchObject({ code: 0, error: '' });
    expect(compressed(later)).toEqual(['applied']);
    expect(server.unplayed).toBe(0);
  });
});
