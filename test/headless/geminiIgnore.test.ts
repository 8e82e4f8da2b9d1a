import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
beforeEach(async () => {
  await writeFile(join(world.workspace, '.geminiignore'), 'notes.txt\n');
  await writeFile(join(world.workspace, 'notes.txt'), 'The tide is low.');
});

it.each([
  [{}, '.geminiignore leaves it out'],
  [{ context: { fileFiltering: { respectGeminiIgnore: false } } }, 'The tide is low.'],
  [{ folio: { respectGeminiIgnore: false } }, 'The tide is low.'],
])('with the settings %j a file that .geminiignore names is answered with: %s', async (settings, answer) => {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  const include = ['notes.txt'];
  world.server.script([call('read_file', { file_path: 'notes.txt' }), call('read_many_files', { include })]);
  world.server.script([text('Done.')]);
  expect(await world.run(['--prompt', 'go', '--settings', file])).toMatchObject({ code: 0, error: '' });
  const [one, many] = lastResults(world.server.requests[1]!).map(result => JSON.stringify(result));
  expect(one).toContain(answer);
  expect(many).toContain(answer);
});
