import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { headlessEntry } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { Ran } from './support/externalWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

beforeEach(async () => {
  await writeFile(join(world.workspace, 'a.txt'), 'one\n');
  execFileSync('git', ['init', '-q'], { cwd: world.workspace });
});

it("drives a session with Folio's own agent: it reads, writes and runs through the client", async () => {
  const home = join(world.folder, 'inner');
  await mkdir(home);
  const args = ['--acp', '--session-dir', join(home, 'sessions'), '--base-url', world.server.baseUrl];
  const command = {
    command: process.execPath,
    args: [headlessEntry, ...args],
    env: { HOME: home, USERPROFILE: home, GEMINI_API_KEY: 'test' },
  };
  const settings = join(world.folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ 'folio.agents.external': { Inner: command } }));
  world.server.script(
    [call('create_new_topic', { title: 'Change the file', strategic_intent: 'Do it' })],
    [call('read_file', { file_path: 'a.txt' })],
    [call('write_file', { file_path: 'a.txt', content: 'two\n' })],
    [call('run_shell_command', { command: 'cat a.txt' })],
    [text('All done.')],
  );
  const how = ['--settings', settings, '--agent', 'Inner', '--approval-mode', 'yolo'];
  const ran = new Ran(await world.run([...how, '--output-format', 'stream-json', '--prompt', 'change it']));
  expect(ran.end).toEqual({ kind: 'rested' });
  expect(ran.text).toContain('All done.');
  expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('two\n');
  const writes = ran.of('file.written').map(({ by }) => by);
  expect(writes).toEqual(['call']);
  const [run] = ran.of('call.ended').filter(({ display }) => display.detail?.kind === 'command');
  expect(run).toMatchObject({ outcome: 'ok', display: { detail: { exitCode: 0, output: 'two\n' } } });
});
