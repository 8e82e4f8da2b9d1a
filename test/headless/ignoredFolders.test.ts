import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
beforeEach(async () => {
  for (const folder of ['src', 'node_modules', 'generated']) {
    await mkdir(join(world.workspace, folder));
    await writeFile(join(world.workspace, folder, 'a.js'), 'tide');
  }
});

async function scan(...more: readonly string[]): Promise<string> {
  const calls = [
    call('glob', { pattern: '**/*.js' }),
    call('grep_search', { pattern: 'tide', names_only: true }),
    call('list_directory', { dir_path: '.' }),
  ];
  world.server.script(calls, [text('Done.')]);
  expect(await world.run(['--prompt', 'Look', ...more])).toMatchObject({ code: 0 });
  return JSON.stringify(lastResults(world.server.requests[1]!));
}

it('a headless run leaves dependencies out of searches and listings, and tells the model', async () => {
  const results = await scan();
  expect(results).not.toContain('node_modules/a.js');
  expect(results).toContain('(1 more file in node_modules left out)');
  expect(results).toContain('(node_modules not searched)');
  expect(results).toContain('(node_modules/ left out; list by its own path)');
  expect(results).toContain('generated/a.js');
});

it('a headless run leaves out the folders that the settings name, and no others', async () => {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, JSON.stringify({ folio: { ignoredFolders: ['generated'] } }));
  const results = await scan('--settings', file);
  expect(results).not.toContain('generated/a.js');
  expect(results).toContain('(1 more file in generated left out)');
  expect(results).toContain('node_modules/a.js');
});
