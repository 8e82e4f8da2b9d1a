import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('a command as a prompt of a headless run', () => {
  let world: HeadlessWorld;
  beforeEach(async () => {
    world = await HeadlessWorld.make();
  });
  afterEach(() => world.dispose());

  const run = (...args: readonly string[]) => world.run(args);

  it('shows the commands, and names the nearest to one that there is not', async () => {
    const help = await run('--prompt', '/help');
    expect(help).toMatchObject({ code: 0, error: '' });
    expect(help.out).toMatch(/^\/compress .+\n\/init \[.+\] .+\n/);
    const unknown = await run('--prompt', '/comprss', '--output-format', 'stream-json');
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.error).toContain('There is no command /comprss. The nearest is /compress');
    expect(world.server.requests).toEqual([]);
  });

  it('shows the memory, that of further folders too', async () => {
    await mkdir(join(world.folder, 'conventions'));
    await writeFile(join(world.folder, 'conventions', 'GEMINI.md'), 'Use tabs.');
    const settings = join(world.folder, 'settings.json');
    await writeFile(settings, '{"folio.memoryFolders":["../conventions"]}');
    const { code, out } = await run('--prompt', '/memory', '--settings', settings);
    expect(code).toBe(0);
    expect(out).toContain('Use tabs.');
    const json = await run('--prompt', '/memory', '--settings', settings, '--output-format', 'json');
    expect(JSON.parse(json.out).answer).toContain('Use tabs.');
  });

  it('has the model write the memory file, while the prompt stays what was typed', async () => {
    world.server.script(
      [call('write_file', { file_path: 'GEMINI.md', content: 'Run npm test.\n' })],
      [text('Written.')],
    );
    const mode = ['--approval-mode', 'autoEdit', '--output-format', 'stream-json'];
    const { code, out } = await run('--prompt', '/init mind the tests', ...mode);
    expect(code).toBe(0);
    expect(await readFile(join(world.workspace, 'GEMINI.md'), 'utf8')).toBe('Run npm test.\n');
    const started = eventsOf(out).find(event => event.type === 'turn.started');
    expect(started).toMatchObject({ text: '/init mind the tests' });
    const sent = JSON.stringify(world.server.requests[0]!.body.contents);
    expect(sent).toContain('Write the memory file of this project, GEMINI.md');
    expect(sent).not.toContain('/init');
  });

  it('says why it cannot be carried out, and sends nothing', async () => {
    const { code, out, error } = await run('--prompt', '/init', '--untrusted');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('Nothing is written in a restricted workspace');
    expect(world.server.requests).toEqual([]);
  });

  it('compresses an earlier session at once, and the next prompt sends the summary', async () => {
    // Words that differ: a text that only repeats itself is ended as a loop.
    const lines = Array.from(
      { length: 200 },
      (_, n) => `- Invoice ${n}: line ${n * 7} is rounded before the sum.`,
    );
    const long = lines.join('\n');
    world.server.script([text(long)], [text(long)], [text('Short.')]);
    for (const [index, prompt] of ['First', 'Second', 'Third'].entries()) {
      const resume = index === 0 ? [] : ['--resume', 'latest'];
      expect(await run('--prompt', prompt, ...resume)).toMatchObject({ code: 0 });
    }
    const snapshot = '<state_snapshot><overall_goal>Round once.</overall_goal></state_snapshot>';
    world.server.script([text(snapshot)], [text(snapshot)]);
    const compressed = await run('--prompt', '/compress', '--resume', 'latest');
    expect(compressed).toMatchObject({ code: 0, error: '' });
    expect(compressed.out).toMatch(/^Compressed from [\d,]+ to [\d,]+ tokens\.\n$/);
    const before = world.server.requests.length;
    world.server.script([text('On.')]);
    expect(await run('--prompt', 'Fourth', '--resume', 'latest')).toMatchObject({ code: 0 });
    const sent = JSON.stringify(world.server.requests[before]!.body.contents);
    expect(sent).toContain('Round once.');
    expect(sent).not.toContain('First');
  });

  it('fails when there is nothing to compress', async () => {
    const { code, out, error } = await run('--prompt', '/compress');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('too little to compress');
  });
});
