import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const adapter = `"${process.execPath}" "${resolve('test/support/fakeDebugAdapter.ts')}"`;
const breakpoints = [{ file: 'main.txt', at: 'print hello' }];

const world = eachTest(() => HeadlessWorld.make());

beforeEach(async () => {
  await mkdir(join(world.workspace, '.vscode'));
  const program = '$' + '{workspaceFolder}/main.txt';
  const configurations = [{ name: 'Run', type: 'fake', request: 'launch', program }];
  await writeFile(join(world.workspace, '.vscode', 'launch.json'), JSON.stringify({ configurations }));
  await writeFile(join(world.workspace, 'main.txt'), 'count = 41\nprint hello\nwait');
});

async function run(args: readonly string[]): Promise<readonly { output?: string; error?: string }[]> {
  world.server.script([call('debug', { action: 'start', breakpoints })], [text('Done.')]);
  const settings = join(world.folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ 'folio.debug.adapter': adapter }));
  const { code, error } = await world.run(['--settings', settings, ...args, '--prompt', 'Debug it.'], {
    cwd: world.workspace,
  });
  expect(code, error).toBe(0);
  return lastResults(world.server.requests.at(-1)!);
}

describe('without a window', () => {
  it('the adapter of the settings debugs, and has ended with the run', async () => {
    const [result] = await run(['--approval-mode', 'yolo', '--trusted']);
    expect(result?.output).toContain('2: print hello');
    expect(result?.output).toContain('count = 41');
  });

  it('a start that nobody was asked about is denied', async () => {
    const [result] = await run(['--trusted']);
    expect(JSON.stringify(result)).not.toContain('count = 41');
    expect(toolNames(world.server.requests[0]!)).toContain('debug');
  });

  it('a workspace that is not trusted, or names the adapter itself, gets no debugger', async () => {
    await mkdir(join(world.workspace, '.folio'));
    for (const folder of ['.folio', '.vscode', '.gemini']) {
      await mkdir(join(world.workspace, folder), { recursive: true });
      await writeFile(
        join(world.workspace, folder, 'settings.json'),
        JSON.stringify({ 'folio.debug.adapter': adapter }),
      );
    }
    world.server.script([text('Nothing.')]);
    await world.run(['--trusted', '--approval-mode', 'yolo', '--prompt', 'Hello'], { cwd: world.workspace });
    expect(toolNames(world.server.requests.at(-1)!)).not.toContain('debug');
  });
});
