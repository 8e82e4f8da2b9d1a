/* Programs as people have them, in a terminal that is typed into. What is not on a machine is named as not tested. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { eachTest } from '../support/eachTest.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { startSshServer, whyNoSshServer } from '../support/sshServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { followWaiting, hasProgram, typist } from '../support/typist.ts';

let root: string;
const terminals = eachTest(() => new NodeProcesses());
beforeEach(async () => {
  root = await temporaryFolder('folio-programs-');
});

const start = (command: string) => typist(terminals, command, root);

/** @param lacks why it cannot be tested here; undefined: it can */
function real(
  program: string,
  title: string,
  run: () => Promise<void>,
  lacks = hasProgram(program) ? undefined : `no ${program} on this machine`,
) {
  const why = process.platform === 'win32' ? 'no terminals of Unix on Windows' : lacks;
  test.skipIf(why !== undefined)(
    why === undefined ? title : `${title} (not tested: ${why})`,
    { timeout: 60_000 },
    run,
  );
}

real('python3', 'python3 -i answers a question and ends', async () => {
  const { running, shows, type } = start('python3 -i -c "print(6)"');
  await shows('>>> ');
  await followWaiting(running).becomes(true);
  type('6*7000\r');
  await shows('42000');
  type('exit()\r');
  expect((await running.exit).code).toBe(0);
});

real('bash', 'the REPL of node', async () => {
  const { running, shows, type } = start(`'${process.execPath}' -i`);
  await shows('> ');
  await followWaiting(running).becomes(true);
  type('6*7000\r');
  await shows('42000');
  type('.exit\r');
  expect((await running.exit).code).toBe(0);
});

real('sqlite3', 'sqlite3', async () => {
  const { running, shows, type } = start('sqlite3');
  await shows('sqlite> ');
  await followWaiting(running).becomes(true);
  type('select 6*7000;\r');
  await shows('42000');
  type('.quit\r');
  expect((await running.exit).code).toBe(0);
});

real('ssh-keygen', 'ssh-keygen asks twice for a passphrase that it hides, and knows it again', async () => {
  const make = 'ssh-keygen -q -t ed25519 -f key && ssh-keygen -y -f key';
  const { running, seen, shows, type } = start(make);
  for (const prompt of ['no passphrase', 'same passphrase again', /Enter passphrase(?: for "key")?: $/]) {
    await shows(prompt);
    await expect.poll(() => running.keyboard?.echo()).toBe('hidden');
    type('planted phrase\r');
  }
  expect((await running.exit).code).toBe(0);
  await shows('ssh-ed25519 ');
  expect(seen.text).not.toContain('planted');
});

real(
  'bash',
  'a stand-in for sudo, which asks the terminal whatever its input is, gives three tries',
  async () => {
    const command = `for try in 1 2 3; do
    read -s -p "[sudo] password for ann: " word </dev/tty >/dev/tty; echo >/dev/tty
    [ "$word" = right-one ] && exec echo "is root, with \${#word}"
    echo "Sorry, try again." >/dev/tty
  done < /dev/null; exit 1`;
    const { running, seen, shows, type } = start(command);
    await shows('password for ann: ');
    await expect.poll(() => running.keyboard?.echo()).toBe('hidden');
    type('wrong-one\r');
    await shows('Sorry, try again.');
    await followWaiting(running).becomes(true);
    await expect.poll(() => running.keyboard?.echo()).toBe('hidden');
    type('right-one\r');
    expect((await running.exit).code).toBe(0);
    await shows('is root, with 9');
    expect(seen.text).not.toMatch(/(?:wrong|right)-one/);
  },
);

real('less', 'less shows a page and is left with q', async () => {
  await writeFile(join(root, 'long'), Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n'));
  const { running, shows, type } = start('less long');
  await shows('line 20');
  await followWaiting(running).becomes(true);
  type('G');
  await shows('line 499');
  type('q');
  expect((await running.exit).code).toBe(0);
});

real('vim', 'vim writes a file', async () => {
  const { running, shows, type } = start('vim -u NONE -n new.txt; cat new.txt');
  await shows('new.txt');
  await followWaiting(running).becomes(true);
  type('ihello from vim\x1b:wq\r');
  expect((await running.exit).code).toBe(0);
  await shows('hello from vim');
});

real('top', 'top is left with q', async () => {
  const { running, shows, type } = start('top');
  await shows('PID');
  type('q');
  expect((await running.exit).code).toBe(0);
});

real('git', 'git add -p stages the hunk that is wanted', async () => {
  await initRepository(root, { 'a.txt': 'one\n' });
  await writeFile(join(root, 'a.txt'), 'two\n');
  const { running, shows, type } = start('git add -p');
  await shows('Stage this hunk');
  type('y\r');
  expect((await running.exit).code).toBe(0);
  expect(await git(root, 'diff', '--cached', '--name-only')).toBe('a.txt\n');
});

real('npm', 'npm init asks for each field', async () => {
  const { running, shows, type } = start('npm init');
  await shows('package name:');
  type('answered\r');
  for (const field of [
    'version:',
    'description:',
    'entry point:',
    'test command:',
    'git repository:',
    'keywords:',
    'author:',
    'license:',
  ]) {
    await shows(field);
    type('\r');
  }
  // Versions of npm ask for more or less; each answer by Enter is the default.
  const more = setInterval(() => type('\r'), 300);
  const exit = await running.exit;
  clearInterval(more);
  expect(exit.code).toBe(0);
  expect(await readFile(join(root, 'package.json'), 'utf8')).toContain('"answered"');
});

real(
  'ssh',
  'ssh asks whether it may trust a server of this machine, then for the passphrase of a key',
  async () => {
    await mkdir(join(root, 'server'));
    const server = await startSshServer(join(root, 'server'), 'planted phrase');
    try {
      const options = `-F none -p ${server.port} -i ${server.key} -o UserKnownHostsFile=${root}/known -o IdentityAgent=none`;
      const { running, seen, shows, type } = start(`ssh ${options} 127.0.0.1 'echo "reached $((6 * 7000))"'`);
      await shows('continue connecting');
      await followWaiting(running).becomes(true);
      expect(await running.keyboard?.echo()).toBe('shown');
      type('yes\r');
      await shows('Enter passphrase');
      await expect.poll(() => running.keyboard?.echo()).toBe('hidden');
      type('planted phrase\r');
      expect((await running.exit).code).toBe(0);
      await shows('reached 42000');
      expect(seen.text).not.toContain('planted');
    } finally {
      await server.dispose();
    }
  },
  whyNoSshServer(),
);
