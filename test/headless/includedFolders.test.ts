import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('more folders of a run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    for (const name of ['api', 'web']) {
      await mkdir(join(world.folder, name));
      await writeFile(join(world.folder, name, 'a.txt'), `of ${name}`);
    }
  });

  const run = (...args: readonly string[]) =>
    world.run(['--prompt', 'go', ...args], { env: { HOME: world.home, USERPROFILE: world.home } });
  const put = (value: unknown) =>
    writeFile(
      join(world.home, '.gemini', 'settings.json'),
      JSON.stringify({ context: { includeDirectories: value } }),
    );
  const path = (name: string) => join(world.folder, name);

  it('are those of the command line and of the settings, to read and to write', async () => {
    await put(['../web']);
    world.server.script(
      [call('read_file', { file_path: join(path('api'), 'a.txt') })],
      [call('read_file', { file_path: join(path('web'), 'a.txt') })],
      [call('write_file', { file_path: join(path('api'), 'new.txt'), content: 'new' })],
      [text('Done.')],
    );
    const { code, error } = await run('--include-directories', `${path('api')}, `, '--approval-mode', 'yolo');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const results = world.server.requests.map(request => JSON.stringify(lastResults(request))).join();
    expect(results).toContain('of api');
    expect(results).toContain('of web');
    expect(await readFile(join(path('api'), 'new.txt'), 'utf8')).toBe('new');
  });

  it('that are not there end the run on the command line, and are named where a setting wants them', async () => {
    const wrong = await run('--include-directories', path('none'));
    expect(wrong.code).toBe(2);
    expect(wrong.error).toContain('there is no folder');
    await put('../none');
    world.server.script([text('Done.')]);
    const { code, error } = await run();
    expect(code).toBe(0);
    expect(error).toContain('context.includeDirectories: there is no folder');
  });

  it('of a workspace do not open anything', async () => {
    await mkdir(join(world.workspace, '.gemini'), { recursive: true });
    const own = JSON.stringify({ context: { includeDirectories: ['../api'] } });
    await writeFile(join(world.workspace, '.gemini', 'settings.json'), own);
    world.server.script([call('read_file', { file_path: join(path('api'), 'a.txt') })], [text('Done.')]);
    await run('--trusted');
    expect(JSON.stringify(lastResults(world.server.requests[1]!))).not.toContain('of api');
  });
});
