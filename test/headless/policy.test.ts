import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
let server: GeminiServer;
let folder: string;
let workspace: string;

beforeEach(async () => {
  ({ server, folder, workspace } = world);
});

async function outcomes(args: readonly string[], ...commands: readonly string[]): Promise<readonly string[]> {
  for (const command of commands) server.script([call('run_shell_command', { command })]);
  server.script([text('Done.')]);
  const { out, error, code } = await world.run(['--prompt', 'go', '--output-format', 'stream-json', ...args]);
  expect(code, error).toBe(0);
  return eventsOf(out).flatMap(event => (event.type === 'call.ended' ? [event.outcome] : []));
}

describe('a run without a window', () => {
  it('runs commands that only read, and nothing that would ask', async () => {
    await writeFile(join(workspace, '.env'), 'KEY=1');
    expect(await outcomes([], 'ls', 'touch a', 'cat .env', 'ls > b')).toEqual([
      'ok',
      'denied',
      'denied',
      'denied',
    ]);
    expect(await readdir(workspace)).toEqual(['.env']);
  });

  it('follows the files of rules that it is given', async () => {
    const allow = join(folder, 'allow.toml');
    const deny = join(folder, 'deny.toml');
    const rule = (decision: string, prefix: string) =>
      `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "${prefix}"\ndecision = "${decision}"\npriority = 1\n`;
    await writeFile(allow, rule('allow', 'touch'));
    await writeFile(deny, rule('deny', 'ls'));
    expect(await outcomes(['--policy', allow, '--policy', deny], 'touch a', 'mkdir b', 'pwd | ls')).toEqual([
      'ok',
      'denied',
      'denied',
    ]);
    const results = JSON.stringify(server.requests.at(-1));
    expect(results).toContain('deny.toml, line 1');
  });

  it('keeps secrets and the disk whole also where everything is allowed', async () => {
    await writeFile(join(workspace, '.env'), 'KEY=1');
    const yolo = ['--approval-mode', 'yolo'];
    expect(await outcomes(yolo, 'touch a', 'cat .env', 'rm -rf ~')).toEqual(['ok', 'denied', 'denied']);
  });

  it('says so when a file of rules is not there', async () => {
    const { code, error } = await runHeadless({
      args: ['--prompt', 'go', '--workspace', workspace, '--policy', join(folder, 'gone.toml')],
      env: { GEMINI_API_KEY: 'test-key' },
    });
    expect(code).toBe(2);
    expect(error).toMatch(/There is no file of rules .*gone\.toml/);
  });
});
