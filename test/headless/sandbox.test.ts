import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { startForwardProxy } from '../support/forwardProxy.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

interface Ran {
  readonly outcome: string;
  readonly summary: string;
  /** For the model. */
  readonly result: string;
}

async function run(
  args: readonly string[],
  calls: readonly Readonly<Record<string, unknown>>[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Ran[]> {
  for (const each of calls) world.server.script([call('run_shell_command', each)]);
  world.server.script([text('Done.')]);
  const given = ['--prompt', 'go', '--output-format', 'stream-json', ...args];
  const { out, error, code } = await world.run(given, { env });
  expect(code, error).toBe(0);
  const events = eventsOf(out);
  const results = events.flatMap(event =>
    event.type === 'message.added'
      ? event.message.parts.flatMap(part => (part.kind === 'result' ? [part.text] : []))
      : [],
  );
  return events
    .flatMap(event => (event.type === 'call.ended' ? [event] : []))
    .map(({ outcome, display }, at) => ({ outcome, summary: display.summary, result: results[at] ?? '' }));
}

/** A server of this machine, which a command may reach as `localhost` or `127.0.0.1`. */
async function serveHere(): Promise<{ readonly port: number; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.end('hello from here\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

describe.skipIf(process.platform !== 'linux')('a run with --sandbox on', () => {
  beforeAll(mustHaveSandbox);

  it('runs unasked what is sandboxed, and says so', async () => {
    const [ran] = await run(['--sandbox', 'on'], [{ command: 'echo x > made && cat made' }]);
    expect(ran).toMatchObject({ outcome: 'ok', summary: 'Exit code 0, in the sandbox' });
    expect(ran?.result).toContain('It ran in the sandbox.');
    expect(await readFile(join(world.workspace, 'made'), 'utf8')).toBe('x\n');
  });

  it('lets nothing be written outside, and names the grant that would be needed', async () => {
    const outside = join(world.folder, 'cache');
    await mkdir(outside);
    const places = ['/usr/lib', outside];
    const ran = await run(
      ['--sandbox', 'on'],
      places.flatMap(folder => {
        const command = `folder=${folder}; touch $folder/folio-was-here`;
        return [{ command }, { command, needs_write: [folder] }];
      }),
    );
    for (const [at, folder] of places.entries()) {
      const [held, denied] = ran.slice(at * 2);
      expect(held?.result).toContain(`needs_write: ["${folder}"]`);
      expect(held?.summary).toBe(`Exit code 1, in the sandbox, which did not allow it to write to ${folder}`);
      expect(denied).toMatchObject({ outcome: 'denied' });
      expect(denied?.result).toContain(`write to ${folder}`);
    }
    expect(await readdir(outside)).toEqual([]);
  });

  it('grants what the command line grants', async () => {
    const outside = join(world.folder, 'cache');
    const args = ['--sandbox', 'on', '--sandbox-allow-write', outside];
    const [ran] = await run(args, [{ command: `echo x > ${outside}/file` }]);
    expect(ran).toMatchObject({ outcome: 'ok', summary: 'Exit code 0, in the sandbox' });
    expect(await readdir(outside)).toEqual(['file']);
  });

  it('connects to hosts that the command line grants, and to no other', async () => {
    const { port, asked } = await serveHere();
    const there = { command: `curl -sS --max-time 20 http://localhost:${port}/granted` };
    const other = { command: `curl -sS --max-time 20 http://127.0.0.1:${port}/other` };
    const args = ['--sandbox', 'on', '--sandbox-allow-host', 'example.com'];
    const [granted, notGranted] = await run([...args, '--sandbox-allow-host', 'localhost'], [there, other]);
    expect(granted).toMatchObject({ outcome: 'ok', summary: 'Exit code 0, in the sandbox' });
    expect(granted?.result).toContain('hello from here');
    expect(notGranted?.result).toContain('The sandbox does not let this command connect to 127.0.0.1.');
    expect(notGranted?.summary).toContain('in the sandbox, which did not allow it to connect to 127.0.0.1');
    expect(asked).toEqual(['/granted']);
  });

  it("reaches granted hosts through the user's own proxy, of which the command knows nothing", async () => {
    const { port } = await serveHere();
    await using proxy = await startForwardProxy(port);
    const args = ['--sandbox', 'on', '--sandbox-allow-host', 'far.example'];
    const command = 'curl -sS --max-time 20 http://far.example/through; echo "$HTTP_PROXY"';
    const env = { HTTP_PROXY: `http://ann:word@127.0.0.1:${proxy.port}`, HTTPS_PROXY: '', NO_PROXY: '' };
    const [ran] = await run(args, [{ command }], env);
    expect(ran?.result).toContain('hello from here');
    expect(ran?.result).not.toContain('word@');
    const login = `Basic ${Buffer.from('ann:word').toString('base64')}`;
    expect(proxy.wanted).toEqual([{ line: 'GET http://far.example/through', login }]);
  });

  it('connects to no host without such a grant, names it, and denies it to the command that wants it', async () => {
    const { port, asked } = await serveHere();
    const command = `curl -sS --max-time 20 http://localhost:${port}/`;
    for (const args of [[], ['--sandbox-allow-host', 'example.com']]) {
      const calls = [{ command }, { command, needs_hosts: ['localhost'] }];
      const [held, denied] = await run(['--sandbox', 'on', ...args], calls);
      expect(held?.result).toContain('needs_hosts: ["localhost"]');
      expect(held?.summary).toContain('in the sandbox, which did not allow it to connect to localhost');
      expect(denied).toMatchObject({ outcome: 'denied' });
      expect(denied?.result).toContain('connect to localhost');
    }
    expect(asked).toEqual([]);
  });

  it('denies what dangers ask about, and what wants out', async () => {
    const ran = await run(
      ['--sandbox', 'on'],
      [{ command: 'rm -rf src' }, { command: 'make', outside_sandbox: true }],
    );
    expect(ran.map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
  });

  it('undoes a protected name that a command made, and reports it', async () => {
    const [ran] = await run(
      ['--sandbox', 'on'],
      [{ command: 'name=vscode; mkdir .$name; echo {} > .$name/tasks.json' }],
    );
    expect(ran?.result).toContain('took back what is protected');
    expect(await readdir(world.workspace)).toEqual([]);
  });

  it('is not switched off by the workspace, and is switched on by it', async () => {
    const settings = (value: string) =>
      writeFile(join(world.workspace, '.gemini/settings.json'), `{"folio.sandbox": "${value}"}`);
    await mkdir(join(world.workspace, '.gemini'));
    const own = join(world.folder, 'own.json');
    await writeFile(own, '{"folio.sandbox": "on"}');
    await settings('ask');
    const [kept] = await run(['--trusted', '--settings', own], [{ command: 'touch kept' }]);
    expect(kept?.summary).toContain('in the sandbox');
    await settings('on');
    const [on] = await run(['--trusted'], [{ command: 'touch on' }]);
    expect(on?.summary).toContain('in the sandbox');
  });
});

describe.skipIf(process.platform !== 'linux')('a run with --sandbox on where there is none', () => {
  it.each([
    [
      'is not installed',
      undefined,
      'The program bubblewrap is missing. Install the system package "bubblewrap"',
    ],
    [
      'may make no namespaces',
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
      'The system does not allow user namespaces',
    ],
    ['fails', 'echo "bwrap: Unknown option --tmpfs" >&2; exit 1', 'Bubblewrap could not create the sandbox'],
  ])('denies commands and says why: bubblewrap %s', async (_how, script, words) => {
    const programs = await standInFor(script);
    const env = { PATH: programs };
    const ran = await run(['--sandbox', 'on'], [{ command: 'touch made' }, { command: 'ls' }], env);
    expect(ran[0]).toMatchObject({ outcome: 'denied' });
    expect(ran[0]?.result).toContain(words);
    expect(ran[1]).toMatchObject({
      outcome: 'ok',
      summary: expect.stringContaining('It ran without the sandbox.'),
    });
    const [allowed] = await run(
      ['--sandbox', 'on', '--approval-mode', 'yolo'],
      [{ command: 'touch made' }],
      env,
    );
    expect(allowed).toMatchObject({ outcome: 'denied' });
    expect(await readdir(world.workspace)).toEqual([]);
  });

  /** A folder for PATH with the shell and `ls` alone, and a program in the place of bubblewrap. */
  async function standInFor(script: string | undefined): Promise<string> {
    const folder = join(world.folder, 'bin');
    await mkdir(folder);
    for (const name of ['bash', 'sh', 'ls', 'touch', 'cat', 'git', 'nsenter']) {
      await writeFile(join(folder, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`);
      await chmod(join(folder, name), 0o755);
    }
    if (script !== undefined) {
      await writeFile(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, 'bwrap'), 0o755);
    }
    return folder;
  }
});
