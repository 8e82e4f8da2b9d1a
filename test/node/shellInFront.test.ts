import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { mayRunTypedCommands } from '../../src/extension/node/processes/shellInFront.ts';
import { typist } from '../support/typist.ts';

test.each([
  [true, 'bash'],
  [true, '-bash'],
  [true, '/bin/sh -i'],
  [true, 'bash --norc'],
  [true, 'bash -ic ls'],
  [true, 'zsh -l'],
  [true, 'fish'],
  [true, 'pwsh -NoLogo'],
  [true, 'ssh host'],
  [true, '/usr/bin/docker exec -it box node'],
  [true, 'sudo -s'],
  [true, 'tmux'],
  [false, 'bash -c read'],
  [false, 'bash -lc read'],
  [false, 'sh install.sh'],
  [false, 'python3 -i'],
  [false, 'node'],
  [false, 'git add -p'],
  [false, 'sqlite3'],
  [false, 'bwrap --ro-bind / / -- python3 -i'],
  [true, 'bwrap --new-session --ro-bind / / -- python3 -i'],
])('takes commands: %s, for %s', (expected, line) => {
  expect(mayRunTypedCommands(line.split(' '))).toBe(expected);
});

test.skipIf(process.platform !== 'linux')(
  'what is in front of a terminal is asked of the system each time: a script, a shell and its folder, a program in it',
  { timeout: 60_000 },
  async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'folio-front-')));
    const processes = new NodeProcesses();
    try {
      const line = 'read -p "Name: " name; PS1="at> " bash --norc; echo over; true';
      const { running, shows, type } = typist(processes, line, root);
      const shell = () => running.keyboard?.shell();
      await shows('Name: ');
      expect(await shell()).toBeUndefined();
      type('Ada\r');
      await shows('at> ');
      await expect.poll(shell).toEqual({ cwd: root });
      type('cd /\r');
      await expect.poll(shell).toEqual({ cwd: '/' });
      type(`'${process.execPath}' -i\r`);
      await shows('Welcome to Node');
      expect(await shell()).toBeUndefined();
      type('.exit\r');
      await expect.poll(shell).toEqual({ cwd: '/' });
      type('exit\r');
      expect((await running.exit).code).toBe(0);
    } finally {
      await processes.dispose();
      await rm(root, { recursive: true, force: true });
    }
  },
);
