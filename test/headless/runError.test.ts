/* What a run says and ends with when something is wrong, or when it is interrupted. */

import { execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { callFaults } from '../support/checkHistory.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, invalidKey, modelNotFound, text, unavailable } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessOptions } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
let server: GeminiServer;
let folder: string;

beforeEach(async () => {
  ({ server, folder } = world);
});

function run(args: readonly string[], options?: Omit<HeadlessOptions, 'args'>) {
  return world.run(args, options);
}

describe('trouble', () => {
  it('with the journal is told whatever the format, and the run continues', async () => {
    await writeFile(join(folder, 'file'), '');
    server.script([text('Hi.')]);
    const args = ['--prompt', 'hi', '--output-format', 'json', '--session-dir', join(folder, 'file', 'in')];
    const { code, error } = await run(args);
    expect(code).toBe(0);
    expect(error).toContain('not recorded at the moment');
  });

  it.each([
    [['--prompt', ''], 'There is no prompt'],
    [['--prompt', 'x', '--output-format', 'xml'], 'takes text, json, stream-json'],
    [['--prompt', 'x', '--unknown'], "Unknown option '--unknown'. See --help."],
    [['--prompt', 'x', '--workspace', '/nowhere/at/all'], 'There is no folder'],
    [['--prompt', 'x', '--settings', '/nowhere.json'], 'There is no settings file'],
  ])('with the arguments %j ends with 2 and one sentence', async (args, sentence) => {
    const { code, out, error } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(error).toContain(sentence);
    expect(error.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['a wrong key', invalidKey(), 'Set a valid one in the variable'],
    ['an unknown model', modelNotFound, 'Choose another model with --model or /model'],
  ])('like %s is one sentence and exit code 1, without a second try', async (_name, answer, sentence) => {
    server.script(answer);
    const { code, error } = await run(['--prompt', 'x']);
    expect(code).toBe(1);
    expect(error).toContain(sentence);
    expect(server.requests).toHaveLength(1);
  });

  it('without a key says what to do', async () => {
    const { code, error } = await run(['--prompt', 'x'], { env: { GEMINI_API_KEY: '' } });
    expect(code).toBe(1);
    expect(error).toContain('key');
    expect(server.requests).toHaveLength(0);
  });

  it('of a busy server is waited out when attempts are left, and told when none is', async () => {
    await writeFile(join(folder, 'settings.json'), '{ "general": { "maxAttempts": 1 } }');
    server.script(unavailable);
    const { code, error } = await run(['--prompt', 'x', '--settings', join(folder, 'settings.json')]);
    expect(code).toBe(1);
    expect(error.trim().split('\n')).toHaveLength(1);
  });
});

describe('an interrupt', () => {
  it('that comes before the first request ends with 130, too', async () => {
    server.script([hang]);
    // The settings are a pipe that nobody writes to, so the run is surely still at its start.
    const settings = join(folder, 'settings.json');
    execFileSync('mkfifo', [settings]);
    const { code, error } = await run(['--prompt', 'x', '--settings', settings], {
      onStart: async child => {
        // Opens once the run reads.
        const pipe = await open(settings, 'w');
        child.kill('SIGINT');
        await new Promise(done => setTimeout(done, 100));
        await pipe.close();
      },
    });
    expect(code).toBe(130);
    expect(error).toBe('Stopped.\n');
    expect(server.requests).toHaveLength(0);
  });

  it('stops a hanging answer and ends with 130', async () => {
    server.script([text('Let me think'), hang]);
    const { code, out } = await run(['--prompt', 'x', '--output-format', 'stream-json'], {
      onStart: interruptAt('text.appended'),
    });
    expect(code).toBe(130);
    expect(eventsOf(out).at(-1)).toMatchObject({ type: 'turn.ended', end: { kind: 'stopped' } });
  });

  it('ends the whole tree of a running command', async () => {
    // Told apart from those of another run of these tests.
    const [one, other] = [`1000.25${process.pid}`, `1000.5${process.pid}`];
    const command = `echo started; sleep ${one} & sleep ${other}`;
    server.script([call('run_shell_command', { command })]);
    const { code, out } = await run(
      ['--prompt', 'x', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
      { onStart: interruptAt('call.output') },
    );
    expect(code).toBe(130);
    expect(callFaults(eventsOf(out))).toEqual([]);
    expect(runningSleeps().filter(line => line.includes(one) || line.includes(other))).toEqual([]);
  });
});

/** Once: a second interrupt ends the run on the spot. */
function interruptAt(event: string): HeadlessOptions['onStart'] {
  return child => {
    let out = '';
    let isSent = false;
    child.stdout.on('data', text => {
      out += text;
      if (isSent || !out.includes(event)) return;
      isSent = true;
      child.kill('SIGINT');
    });
  };
}

function runningSleeps(): readonly string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.startsWith('sleep 1000.'));
}
