import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CommandCheck } from '../../../src/extension/headless/checks/commandCheck.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../../src/extension/node/processes/nodeProcesses.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import { eachTest } from '../../support/eachTest.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: string;
const processes = eachTest(() => new NodeProcesses());
let reported: string[];

beforeEach(async () => {
  folder = await temporaryFolder('folio-check-');
  reported = [];
});

function make(command: string, limitMs?: number) {
  return new CommandCheck({
    files: new NodeFileSystem(),
    processes,
    clock: new SystemClock(),
    policy: { classify: async () => ({ kind: 'allow' }) },
    folders: [folder],
    commands: () => ({ '*.txt': command }),
    platform: process.platform,
    notify: sentence => reported.push(sentence),
    limitMs,
  });
}

async function check(
  command: string,
  options: { name?: string; limitMs?: number; signal?: AbortSignal } = {},
) {
  const { name = 'a.txt', limitMs, signal = new AbortController().signal } = options;
  const path = join(folder, name);
  await writeFile(path, 'text\n');
  return make(command, limitMs).check(path, signal);
}

describe('a command that checks a file', () => {
  test('gets the path as one word, however the file is called and wherever it stands', async () => {
    const name = '$(touch hurt) `x` "y" \'z\'; rm.txt';
    for (const command of ['echo {file}; false', 'echo "{file}"; false', "echo '{file}'; false"]) {
      const [found] = await check(command, { name });
      expect(found?.message, command).toBe(join(folder, name));
    }
  });

  test('does not run where the path cannot stand safely, and that is said', async () => {
    expect(await check('echo `cat {file}`; false')).toEqual([]);
    expect(reported).toEqual([
      expect.stringMatching(/is not run, since the file's name comes after a backtick/),
    ]);
  });

  test('that ends with 0 has found nothing, whatever it printed', async () => {
    expect(await check('echo "a.txt:1:1: error: no"')).toEqual([]);
  });

  test('that fails without a word is a problem automatically', async () => {
    expect(await check('exit 3')).toEqual([
      { severity: 'error', message: 'exit 3 ended with exit code 3 and printed nothing.' },
    ]);
  });

  test('that takes too long is stopped, and the user is told', async () => {
    expect(await check('sleep 600', { limitMs: 50 })).toEqual([]);
    expect(reported).toEqual([expect.stringContaining('`sleep 600` of folio.checkCommand was stopped')]);
  });

  test('ends with the call that it belongs to', async () => {
    const stop = new AbortController();
    const checking = check('sleep 600', { signal: stop.signal });
    stop.abort(new Error('Stopped by the user'));
    await expect(checking).rejects.toThrow('Stopped by the user');
    expect(reported).toEqual([]);
  });

  test('of a file outside the workspace is not run', async () => {
    expect(await make('exit 3').check('/elsewhere/a.txt', new AbortController().signal)).toEqual([]);
  });
});
