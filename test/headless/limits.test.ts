import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, finish, refusal, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import type { HeadlessOptions } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { treeCommand, treeFiles } from '../support/stubbornTree.ts';

const world = eachTest(() => HeadlessWorld.make());
let server: GeminiServer;
let folder: string;
let workspace: string;

beforeEach(async () => {
  ({ server, folder, workspace } = world);
});

/** @param settings of the user's own file */
async function run(args: readonly string[], settings: object = {}, onStart?: HeadlessOptions['onStart']) {
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));
  return world.run(['--settings', settingsFile, '--approval-mode', 'yolo', ...args], { onStart });
}

const circle = () => server.afterScript(() => [call('glob', { pattern: '*.txt' })]);

describe('a headless run that goes in circles', () => {
  it('ends with 1 and the code of it on standard error', async () => {
    circle();
    const { code, error } = await run(['--prompt', 'go']);
    expect(code).toBe(1);
    expect(error).toMatch(/^LOOP_DETECTED: Paused: Folio seems to be looping. The same call/m);
  });

  it('says so in its JSON', async () => {
    circle();
    const { code, out } = await run(['--prompt', 'go', '--output-format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      code: 'LOOP_DETECTED',
      end: { kind: 'loop', loop: { kind: 'calls' } },
    });
  });

  it('says there what it cost, or that no price is known and limits in dollars do not count', async () => {
    const costOf = async (model: string) => {
      server.script([text('Done.')]);
      const { out } = await run(['--prompt', 'go', '--model', model, '--output-format', 'json']);
      return JSON.parse(out).cost;
    };
    expect(await costOf('gemini-2.5-flash')).toBeGreaterThan(0);
    expect(await costOf('gemini-9-pro')).toBe('price unknown');
  });

  it('continues when loops are not looked for', async () => {
    circle();
    const settings = { model: { disableLoopDetection: true, maxSessionTurns: 20 } };
    const { code, out } = await run(['--prompt', 'go', '--output-format', 'json'], settings);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ end: { kind: 'budget', budget: { kind: 'steps', used: 20 } } });
  });
});

describe('a headless run that the service grants less than one request', () => {
  it('waits as it was told, and then gets its answer', async () => {
    const words = 'Quota exceeded for metric requests, limit: 0.5, model: m. Please retry in 20ms.';
    server.script(refusal(429, 'RESOURCE_EXHAUSTED', words), [text('Here it is.')]);
    const { code, out } = await run(['--prompt', 'go']);
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: 'Here it is.' });
  });
});

describe('a headless run at a limit', () => {
  it('warns before, ends with 1 and says which limit it was', async () => {
    const counts = finish('STOP', { promptTokenCount: 300, candidatesTokenCount: 10 });
    let number = 0;
    server.afterScript(() => [call('glob', { pattern: `${number++}.txt` }), counts]);
    const { code, error } = await run(['--prompt', 'go'], { folio: { budget: { turnTokens: 1500 } } });
    expect(code).toBe(1);
    expect(error.trim().split('\n')).toEqual([
      '82 % of the limit of 1,500 tokens for one prompt is used up. At the limit, Folio pauses and asks whether to continue.',
      'Paused: limit of 1,500 tokens for one prompt reached.',
    ]);
    expect(number).toBe(5);
  });

  it('has limits that nobody set, and none where the settings say zero', async () => {
    const counts = finish('STOP', { promptTokenCount: 400_000, candidatesTokenCount: 10 });
    let number = 0;
    server.afterScript(() => {
      number++;
      return number % 15 === 0 ? [text('Done.')] : [call('glob', { pattern: `${number}.txt` }), counts];
    });
    const limited = await run(['--prompt', 'go', '--model', 'gemini-2.5-pro']);
    expect(limited.code).toBe(1);
    expect(limited.error).toContain('Paused: limit of $5.00 for one prompt reached.');
    number = 0;
    const none = { turnTokens: 0, turnCost: 0, turnMinutes: 0, sessionTokens: 0, sessionCost: 0 };
    expect(await run(['--prompt', 'go'], { folio: { budget: none } })).toEqual({
      code: 0,
      out: 'Done.\n',
      error: '',
    });
  });
});

describe.skipIf(process.platform === 'win32')('an interrupt', () => {
  it('ends the tree of a command that heeds no request to end', async () => {
    server.script([call('run_shell_command', { command: treeCommand })]);
    const { code } = await run(['--prompt', 'go'], {}, async child => {
      await readPids();
      child.kill('SIGINT');
    });
    expect(code).toBe(130);
    expect(await listTree(new Set(await readPids()))).toEqual([]);
  });

  async function readPids(): Promise<readonly number[]> {
    while (true) {
      const read = (name: string) => readFile(join(workspace, name), 'utf8').catch(() => '');
      const texts = await Promise.all(treeFiles.map(read));
      if (texts.every(found => found.endsWith('\n'))) return texts.map(Number);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }
});
