import { spawnSync } from 'node:child_process';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { ToolFailure } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import type { RunningProcess } from '../../src/extension/platform/processes.ts';
import { InteractiveCommands } from '../../src/extension/tools/shell/interactiveCommands.ts';
import { runShellCommandTool } from '../../src/extension/tools/shell/runShellCommand.ts';
import { sendInputTool } from '../../src/extension/tools/shell/sendInput.ts';
import { setLanguage } from '../../src/protocol/language.ts';
import { eachTest } from '../support/eachTest.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { PushedClock } from '../support/pushedClock.ts';
import { RecordingCall } from '../support/recordingCall.ts';

const has = (program: string) => spawnSync('which', [program]).status === 0;
const limit = { timeout: 120_000 };

describe.skipIf(process.platform === 'win32')('send_input', limit, () => {
  const call = eachTest(() => RecordingCall.make());
  let processes: NodeProcesses;
  let workspace: string;
  let clock: PushedClock;
  let running: RunningProcess | undefined;
  let tools: {
    readonly run: ReturnType<typeof runShellCommandTool>;
    readonly send: ReturnType<typeof sendInputTool>;
  };

  beforeEach(async () => {
    workspace = join(await realpath(call.folder), 'workspace');
    await mkdir(workspace, { recursive: true });
    clock = new PushedClock();
    use(new NodeProcesses());
  });

  afterEach(async () => {
    await processes.dispose();
  });

  function use(made: NodeProcesses) {
    processes = made;
    processes.onDidStart(started => {
      running = started;
    });
    const files = new NodeFileSystem();
    const open = new InteractiveCommands();
    const ports = {
      processes,
      files,
      paths: new WorkspacePaths(files, [workspace]),
      clock,
      isAttended: true,
      inactivityTimeout: () => 300,
      outputLimit: () => 40_000,
      outputFolder: () => call.folder,
    };
    tools = { run: runShellCommandTool(ports, open), send: sendInputTool(ports, open) };
  }

  /** Runs it until it waits; `answer` then types and waits for the next prompt or the end. */
  async function start(command: string) {
    const { text } = await clock.passUntil(call.use(tools.run, { command, interactive: true }), 1_000);
    expect(text).toContain('Waits for input.');
    const id = Number(/Process id: (\d+)/.exec(text)?.[1]);
    const answer = async (line?: string) => (await call.use(tools.send, { id, text: line })).text;
    return { id, text, answer };
  }

  test('a program that asks twice comes back each time, and ends with its exit code', async () => {
    expect(tools.send.isOffered?.()).toBe(false);
    const { id, text, answer } = await start(
      'read -p "Name: " a; read -p "Age of $a: " b; echo "$a is $b"; exit 3',
    );
    expect(text).toMatch(/Output so far:\n<untrusted_output>\nName: /);
    expect(text).toContain(`kill -- -${id}`);
    expect(tools.send.isOffered?.()).toBe(true);
    const second = await answer('Ada');
    expect(second).toContain('Age of Ada: ');
    expect(second).not.toContain('Name: ');
    expect(await answer('36')).toMatch(/^Exit code: 3\n[\s\S]*Ada is 36/);
    expect(tools.send.isOffered?.()).toBe(false);
    await expect(answer('more')).rejects.toThrow(`No interactive command with the process id ${id} waits`);
  });

  test('the ask shows the text and the command that it goes to', async () => {
    const { id, answer } = await start('read -p "Sure? " a');
    const { subject, target } = await call.prepare(tools.send, { id, text: 'yes' });
    expect(subject).toEqual({ kind: 'other', detail: 'Type “yes” into: read -p "Sure? " a' });
    expect(target).toBeUndefined();
    await answer('yes');
  });

  test.skipIf(process.platform !== 'linux')(
    'what goes to a shell is classified as a command in its folder, and not typed once it would go elsewhere',
    async () => {
      const { id, answer } = await start('PS1="at> " bash --norc; true');
      const typed = async (text: string) => (await call.prepare(tools.send, { id, text })).target;
      expect(await typed('ls')).toEqual({ kind: 'typed', text: 'ls', cwd: workspace });
      expect(await typed('\x03')).toBeUndefined();
      const { plan } = await call.prepare(tools.send, { id, text: 'rm -rf *' });
      expect(await answer('cd /')).toContain('at> ');
      await expect(tools.send.run({ id, text: 'rm -rf *' }, plan as never, call)).rejects.toThrow(
        'Another program now reads the input.',
      );
      expect(await typed('ls')).toMatchObject({ cwd: '/' });
      expect(await answer('read -p "Who? " who')).toContain('Who? ');
      expect(await answer('Ada')).toContain('at> ');
      expect(await answer('exit')).toContain('Exit code: 0');
    },
  );

  const hides = async () => (await running?.keyboard?.echo()) === 'hidden';
  test.each([
    ['read -s', 'read -p "Name: " a; read -s b; echo "got ${#b}"', hides],
    ['read -s of single keys', 'read -p "Name: " a; read -s -n 3 b; echo "got ${#b}"', hides],
    [
      'a prompt that names a secret',
      'read -p "Name: " a; read -p "API token: " b; echo "got ${#b}"',
      async () => call.live.includes('API token: '),
    ],
  ])('%s is left to the user, and the model reads on after it', async (_name, command, asksForIt) => {
    const { id } = await start(command);
    const answering = call.use(tools.send, { id, text: 'Ada' });
    await expect.poll(() => call.live, { timeout: 60_000 }).toContain('Name: Ada');
    // The terminal shows what is typed before the program has read it.
    await expect.poll(asksForIt, { timeout: 60_000 }).toBe(true);
    let isBack = false;
    void answering.then(() => {
      isBack = true;
    });
    // The user's time is over long since; the prompt hides what is typed, so it does not come back.
    for (let at = 0; at < 40; at++) {
      clock.pass(60_000);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    expect(isBack).toBe(false);
    running?.keyboard?.write('abc\r');
    const { text } = await answering;
    expect(text).toContain('got 3');
  });

  test('nothing is typed into a prompt that hides it, although it waited visibly when it was prepared', async () => {
    const { id } = await start('read -p "Name: " a; read -s b; echo "got $b"');
    const args = { id, text: 'planted' };
    const { plan } = await call.prepare(tools.send, args);
    running?.keyboard?.write('Ada\r');
    await expect.poll(() => running?.keyboard?.echo(), { timeout: 60_000 }).toBe('hidden');
    await expect(tools.send.run(args, plan as never, call)).rejects.toThrow('Nothing was typed.');
    running?.keyboard?.write('\r');
    expect(await running?.exit).toMatchObject({ code: 0 });
    expect((await call.use(tools.send, { id })).text).not.toContain('planted');
  });

  test('what the user typed meanwhile is not answered over: the model reads it first', async () => {
    const { answer } = await start('read -p "First: " a; read -p "Second: " b; echo "$a and $b"');
    const answered = new Promise<void>(resolve => running?.onDidWrite(() => resolve()));
    running?.keyboard?.write('user\r');
    await answered;
    await expect(answer('model')).rejects.toThrow('printed more since your last read');
    expect(await answer()).toContain('Second: ');
    expect(await answer('model')).toContain('user and model');
  });

  test.each([
    ['the user answered it', 'read -p "Sure? " a', () => running?.keyboard?.write('user\r')],
    ['it printed more', 'read -p "Sure? " a; echo "got $a"', () => running?.keyboard?.write('user\r')],
    ['somebody ended it', 'read -p "Sure? " a', () => process.kill(running!.pid!, 'SIGKILL')],
  ])(
    'nothing is typed into a command that has just ended, since %s: how is read next',
    async (_why, command, end) => {
      const { id, answer } = await start(command);
      const args = { id, text: 'model' };
      const { plan } = await call.prepare(tools.send, args);
      end();
      await running?.exit;
      const refused = 'Nothing was typed. It has ended. Call send_input without text to read how.';
      await expect(tools.send.run(args, plan as never, call)).rejects.toThrow(refused);
      await expect(answer('model')).rejects.toThrow(refused);
      expect(await answer()).toMatch(/^Exit code: /);
      await expect(answer()).rejects.toThrow('No interactive command');
    },
  );

  test('two lines at once are refused, since the second might answer a prompt for a password', async () => {
    const { answer } = await start('read -p "Sure? " a');
    await expect(answer('yes\nno')).rejects.toThrow('Send only one line at a time.');
  });

  test('why nothing was typed is English for the model, and its card has the language of the user', async () => {
    const { answer } = await start('read -p "Sure? " a');
    const refused: ToolFailure = await answer('yes\nno').catch(error => error);
    setLanguage({ tag: 'de', catalog: { 'Send only one line at a time.': 'Eine Zeile auf einmal.' } });
    onTestFinished(() => setLanguage({ tag: 'en', catalog: {} }));
    expect(refused.summary()).toBe('Eine Zeile auf einmal.');
    await expect(answer('yes\nno')).rejects.toThrow('Nothing was typed. Send only one line at a time.');
  });

  test('a key that may end the program in front goes alone: a shell would take what follows', async () => {
    const { answer } = await start('PS1="at> " bash --norc; true');
    await expect.poll(() => answer('cat').then(String, String)).toContain('cat');
    for (const key of ['\x03', '\x04', '\x1a', '\x1c'])
      await expect(answer(`${key}echo taken > taken`)).rejects.toThrow('Send keys such as Ctrl+C');
    expect(await answer('\x04')).toContain('at> ');
    expect(await answer('ls taken')).toContain('No such file');
    expect(await answer('exit')).toContain('Exit code: 0');
  });

  test('a stop between two calls ends the command that waits', async () => {
    const { id } = await start('read -p "Sure? " a; echo over');
    call.stopper.abort(new Error('Stopped'));
    await running?.exit;
    expect(await listTree(new Set([id]))).toEqual([]);
  });

  test('of two commands that wait, each is answered by its id, and what waits names the call that started it', async () => {
    const first = await start('read -p "First: " a; echo "first got $a"');
    const other = Object.assign(await RecordingCall.make(), { callId: 'call-2' });
    const args = { command: 'read -p "Second: " a; echo "second got $a"', interactive: true };
    await clock.passUntil(other.use(tools.run, args), 1_000);
    const reported: unknown[] = [];
    const waits = (...each: unknown[]) => void reported.push(each);
    const reading = Object.assign(await RecordingCall.make(), { callId: 'call-3', waits });
    const second = running!;
    const using = reading.use(tools.send, { id: second.pid });
    await expect.poll(() => reported).toEqual([[true, 'call-2']]);
    expect(await first.answer('one')).toContain('first got one');
    second.keyboard?.write('two\r');
    expect((await using).text).toContain('second got two');
    expect(reported).toEqual([
      [true, 'call-2'],
      [false, 'call-2'],
    ]);
    await other.dispose();
    await reading.dispose();
  });

  test('without a terminal nobody knows what a program hides, so only the user answers', async () => {
    await processes.dispose();
    use(new NodeProcesses(process.env, undefined, () => undefined));
    const using = call.use(tools.run, { command: 'echo ready; read a; echo "got $a"', interactive: true });
    await expect.poll(() => call.live, { timeout: 60_000 }).toContain('ready');
    expect(await running?.keyboard?.echo()).toBe('unknown');
    running?.keyboard?.write('it\n');
    expect((await using).text).toMatch(/^No terminal could be opened here[\s\S]*got it/);
  });

  describe('real programs', { tags: ['longer'] }, () => {
    test.skipIf(!has('python3'))('python3 -i', async () => {
      const { answer } = await start('python3 -i');
      expect(await answer('6*7000')).toContain('42000');
      expect(await answer('\x04')).toContain('Exit code: 0');
    });

    test('node -i', async () => {
      const { answer } = await start(`'${process.execPath}' -i`);
      expect(await answer('6*7000')).toContain('42000');
      expect(await answer('.exit')).toContain('Exit code: 0');
    });

    test('git add -p', async () => {
      await initRepository(workspace, { 'a.txt': 'one\n' });
      await writeFile(join(workspace, 'a.txt'), 'two\n');
      const { text, answer } = await start('git add -p');
      expect(text).toContain('Stage this hunk');
      expect(await answer('y')).toContain('Exit code: 0');
      expect(await git(workspace, 'diff', '--cached', '--name-only')).toContain('a.txt');
    });

    test.skipIf(!has('npm'))('npm init', async () => {
      const { answer } = await start('npm init --no-update-notifier');
      let said = await answer('my-name');
      for (let at = 0; at < 15 && said.includes('Waits for input'); at++) said = await answer('');
      expect(said).toContain('Exit code: 0');
      expect(JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8'))).toMatchObject({
        name: 'my-name',
      });
    });

    test.skipIf(!has('sqlite3'))('sqlite3', async () => {
      const { answer } = await start('sqlite3');
      expect(await answer('select 6*7000;')).toContain('42000');
      expect(await answer('.quit')).toContain('Exit code: 0');
    });
  });
});
