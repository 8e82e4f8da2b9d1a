import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { describeContainer, installDevcontainer, type StandIn } from '../support/devcontainer.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { eventsOf, type HeadlessOptions } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Seconds of a sleep that nothing else on this machine has. */
let marker = 86_000_000 + process.pid;
const lives = (seconds = marker) => {
  const rows = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return rows.some(row => row.trim() === `sleep ${seconds}`);
};

describe.skipIf(process.platform !== 'linux')('a session in the container of its workspace', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let root: string;
  let standIn: StandIn;

  beforeEach(async () => {
    marker += 1_000_000;
    root = await realpath(world.workspace);
    standIn = await installDevcontainer(world.folder, root);
    await describeContainer(root, { postCreateCommand: 'echo once >> created' });
  });

  const shell = (command: string, more: object = {}) => call('run_shell_command', { command, ...more });
  const run = (args: readonly string[], options: Omit<HeadlessOptions, 'args'> = {}) =>
    world.run(args, {
      ...options,
      env: { HOME: world.home, PATH: `${standIn.bin}:${process.env.PATH}`, ...options.env },
    });
  /** Gives what the model read of the calls, in their order. */
  const work = async (
    calls: readonly ReturnType<typeof call>[],
    args: readonly string[] = ['--container', '--approval-mode', 'yolo', '--trusted'],
    env: Readonly<Record<string, string>> = {},
  ) => {
    world.server.script(...calls.map(each => [each]), [text('Done.')]);
    const { out, error, code } = await run(['--prompt', 'Work', '--output-format', 'stream-json', ...args], {
      env,
    });
    expect(code, error).toBe(0);
    return eventsOf(out).flatMap(event =>
      event.type === 'message.added'
        ? event.message.parts.flatMap(part => (part.kind === 'result' ? [part.text] : []))
        : [],
    );
  };
  const refused = async (...args: readonly string[]) => {
    const { code, error } = await run(['--prompt', 'Work', '--container', ...args]);
    expect([code, world.server.requests]).toEqual([2, []]);
    return error;
  };

  it('runs commands inside, where the workspace has another path and the variables are others', async () => {
    await mkdir(join(root, 'sub'));
    const [first, second, third] = await work([
      shell('pwd; echo "$GEMINI_API_KEY|$PAGER|$FOLIO_STRAY"; echo "to  error" >&2; exit 3'),
      shell('pwd', { dir_path: 'sub' }),
      shell('kill -9 $$'),
    ]);
    expect(first).toContain('Exit code: 3');
    expect(first).toContain(`${standIn.inside}\n|cat|\n`);
    expect(first).toContain('to  error');
    expect(second).toContain(`${standIn.inside}/sub\n`);
    expect(third).toContain('Exit code: 137');
    expect([first, second, third].join()).not.toMatch(/Still running|"outcome"/);
    expect(lives(77777)).toBe(false);
    const asked = JSON.stringify(world.server.requests[0]!.body.systemInstruction);
    expect(asked).toContain(`where ${world.workspace} is ${standIn.inside}`);
    expect(asked).not.toContain('# No sandbox');
  });

  it('reads and writes the files of the workspace, under both of their paths', async () => {
    const [, read] = await work([
      shell('echo made inside > made'),
      call('read_file', { file_path: `${standIn.inside}/made` }),
      call('write_file', { file_path: `${standIn.inside}/new`, content: 'from outside\n' }),
    ]);
    expect(read).toContain('made inside');
    expect(await readFile(join(root, 'new'), 'utf8')).toBe('from outside\n');
  });

  it('comes back to the same container when it is resumed', async () => {
    await work([shell('pwd')]);
    const [again] = await work(
      [shell('pwd; cat created')],
      ['--resume', 'latest', '--approval-mode', 'yolo', '--trusted'],
    );
    expect(again).toContain(`${standIn.inside}\nonce\n`);
    expect(again).not.toContain('once\nonce');
  });

  it('ends what a command started inside when the run is interrupted or killed', async () => {
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      world.server.script([shell(`sleep ${marker}`)]);
      await run(['--container', '--approval-mode', 'yolo', '--trusted', '--prompt', 'Work'], {
        onStart: child => {
          void until(async () => lives()).then(() => child.kill(signal));
        },
      });
      await until(async () => !lives());
    }
  });

  it('lets a background program go on, and names the group by which a command inside ends it', async () => {
    const [started] = await work([shell(`sleep ${marker}`, { is_background: true, delay_ms: 8000 })]);
    const [, stop] = /to stop it: (kill -- -\S+ \S+)/.exec(started ?? '') ?? [];
    expect(stop).toMatch(/^kill -- -\$\(cat \/tmp\/folio-/);
    expect(lives()).toBe(true);
    await work([shell(stop!)], ['--resume', 'latest', '--approval-mode', 'yolo', '--trusted']);
    await until(async () => !lives());
  });

  it('asks as outside, and never takes the container for a sandbox', async () => {
    const calls = [shell('touch made')];
    const [plain] = await work(calls, ['--container', '--trusted']);
    expect(plain).toContain('there is no user to ask');
    const [sandboxed] = await work(calls, [
      '--container',
      '--trusted',
      '--sandbox',
      'on',
      '--approval-mode',
      'yolo',
    ]);
    expect(sandboxed).toContain('The container itself limits them.');
    expect(await readdir(root)).not.toContain('made');
  });

  it('starts nothing before the user has let exactly this run', async () => {
    await describeContainer(root, {
      initializeCommand: 'touch on-host',
      postCreateCommand: 'npm ci',
      mounts: ['source=/,target=/host,type=bind'],
      runArgs: ['--privileged'],
      remoteEnv: { TOKEN: '${localEnv:MY_TOKEN}' },
    });
    const error = await refused();
    for (const fact of [
      'runs on your computer, outside of the container: touch on-host',
      'runs in the container: npm ci',
      'mount: source=/,target=/host,type=bind',
      'gives the container more permissions: runArgs: --privileged',
      'reads your environment variable: MY_TOKEN',
      'This container has not been allowed yet',
    ])
      expect(error).toContain(fact);
    expect((await readdir(root)).sort()).toEqual(['.devcontainer']);
    expect(await refused('--untrusted')).toContain('restricted');
  });

  it.skipIf(process.env.FOLIO_DEVCONTAINER)(
    'gives an image no secret of the user that they did not see named',
    async () => {
      await describeContainer(root, { remoteEnv: { SEEN: '${localEnv:SEEN_TOKEN}' } });
      const [result] = await work([shell('echo "$OWN|$PLAIN|$SEEN"')], undefined, {
        FOLIO_TEST_IMAGE_ENV: '{"OWN":"${localEnv:HOST_TOKEN}","PLAIN":"${localEnv:HOST_PLAIN}"}',
        HOST_TOKEN: 'hidden',
        HOST_PLAIN: 'plain',
        SEEN_TOKEN: 'seen',
      });
      expect(result).toContain('\n|plain|seen\n');
    },
  );

  it('shows what is hidden in a text of the workspace, and no line of it as one of Folio', async () => {
    await describeContainer(root, { postCreateCommand: 'true\n- image: nothing\u001b[2K\u202e' });
    const error = await refused();
    expect(error).toContain('runs in the container: true\n    - image: nothing\\u{1B}[2K\\u{202E}');
    expect(error).toContain('An image or a feature can add its own commands');
  });

  it('says why the container did not start, with the last lines of the log', async () => {
    await describeContainer(root, { image: 'missing' });
    const [result] = await work([shell('pwd')]);
    expect(result).toContain('The container did not start.');
    expect(result).toMatch(/missing/);
  });

  it.skipIf(process.env.FOLIO_DEVCONTAINER)('says so where Docker Compose is missing', async () => {
    await describeContainer(root, { dockerComposeFile: 'compose.yml', service: 'app' });
    const [result] = await work([shell('pwd')]);
    expect(result).toContain('needs Docker Compose');
  });
});

describe.skipIf(process.platform !== 'linux' || process.env.FOLIO_DEVCONTAINER)('what is missing', () => {
  const world = eachTest(() => HeadlessWorld.make());
  const start = async (path: string) => {
    const env = { HOME: world.home, PATH: path };
    return await world.run(['--prompt', 'Work', '--container', '--trusted'], { env });
  };

  it('is named, with what to do about it', async () => {
    const { bin } = await installDevcontainer(world.folder, world.workspace);
    const bare = join(world.folder, 'bare');
    await mkdir(bare);
    expect((await start(bare)).error).toContain('npm install -g @devcontainers/cli');
    expect((await start(bin)).error).toContain('no .devcontainer/devcontainer.json');
    await writeFile(join(bin, 'down'), '');
    expect((await start(bin)).error).toMatch(/engine does not answer.*Cannot connect to the Docker daemon/);
  });
});

describe.skipIf(process.platform !== 'linux')('a session in the background', () => {
  const world = eachTest(() => BackgroundWorld.make());

  it('stays in its container when its host is killed before it has begun', async () => {
    const root = await realpath(world.workspace);
    const { bin, inside } = await installDevcontainer(await temporaryFolder('folio-container-'), root);
    await describeContainer(root);
    world.env = { PATH: `${bin}:${process.env.PATH}` };
    const settings = join(world.home, 'settings.json');
    await writeFile(settings, JSON.stringify({ folio: { parallel: { max: 1 } } }));
    const given = ['--settings', settings, '--trusted', '--approval-mode', 'yolo'];
    world.server.script([hang]);
    await world.begin('First', ...given);
    const id = await world.begin('Second', '--container', ...given);
    await until(async () => world.server.requests.length === 1);
    await world.kill();
    world.server.script([call('run_shell_command', { command: 'pwd > where' })], [text('Done.')]);
    await world.run('--background', '--resume', id, ...given);
    await world.whenHostEnded();
    expect(await readFile(join(root, 'where'), 'utf8')).toBe(`${inside}\n`);
  });
});
