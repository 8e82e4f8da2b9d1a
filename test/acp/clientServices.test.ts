import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClientApp, methods } from '@agentclientprotocol/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';
import { AcpWorld } from './support/acpWorld.ts';

const { fs, terminal } = methods.client;

const world = eachTest(() => AcpWorld.make());

const results = () => lastResults(world.server.requests.at(-1)!);
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the content of a prompt', () => {
  it('may be pictures, links to files and embedded texts', async () => {
    await writeFile(join(world.workspace, 'a b.txt'), 'what the link leads to\n');
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    world.server.script([text('I see.')]);
    const uri = (name: string) => pathToFileURL(join(world.workspace, name)).href;
    await client.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Compare ' },
        { type: 'resource_link', name: 'a b.txt', uri: uri('a b.txt') },
        { type: 'text', text: ' with these.' },
        { type: 'resource', resource: { uri: `${uri('c.ts')}#L10:11`, text: 'unsaved one\nunsaved two\n' } },
        {
          type: 'resource',
          resource: { uri: 'zed:///thing', blob: 'AAAA', mimeType: 'application/x-thing' },
        },
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'resource_link', name: 'the docs', uri: 'https://example.org/docs' },
      ],
    });
    const sent = JSON.stringify(world.server.requests.at(-1)!.body.contents);
    expect(sent).toContain('what the link leads to');
    expect(sent).toContain('Compare @\\"a b.txt\\" with these.[the docs](https://example.org/docs)');
    expect(sent).toContain('Selected in c.ts, lines 10 to 11:');
    expect(sent).toContain('unsaved two');
    expect(sent).toContain(pixel);
    expect(client.said('agent_thought_chunk')).toContain('Folio reads no application/x-thing');
    await client.end();
    expect(client.faults).toEqual([]);
  });
});

/** An editor with files that are not saved. */
function editor(unsaved: Map<string, string>, written: Map<string, string>) {
  return (app: ClientApp) =>
    app
      .onRequest(fs.readTextFile, async ({ params }) => {
        const content = unsaved.get(params.path);
        return { content: content ?? (await readFile(params.path, 'utf8')) };
      })
      .onRequest(fs.writeTextFile, async ({ params }) => {
        written.set(params.path, params.content);
        unsaved.delete(params.path);
        await writeFile(params.path, params.content);
        return {};
      });
}

describe('files of a client that offers them', () => {
  it('are read as its editor has them, and written through it', async () => {
    const path = join(world.workspace, 'a.txt');
    await writeFile(path, 'saved\n');
    const [unsaved, written] = [new Map([[path, 'typed and not saved\n']]), new Map<string, string>()];
    const client = await world.start({
      args: ['--approval-mode', 'yolo'],
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      extend: editor(unsaved, written),
    });
    const sessionId = await client.newSession(world.workspace);
    world.server.script(
      [call('read_file', { file_path: 'a.txt' })],
      [call('replace', { file_path: 'a.txt', instruction: 'x', old_string: 'typed', new_string: 'changed' })],
      [call('write_file', { file_path: 'new.txt', content: 'new\n' })],
      [text('Done.')],
    );
    await client.prompt(sessionId, 'change it');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('typed and not saved');
    expect(Object.fromEntries(written)).toEqual({
      [path]: 'changed and not saved\n',
      [join(world.workspace, 'new.txt')]: 'new\n',
    });
    expect(await readFile(path, 'utf8')).toBe('changed and not saved\n');
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('with line endings that a client may not keep go to the disk byte for byte', async () => {
    const path = join(world.workspace, 'dos.txt');
    await writeFile(path, 'one\r\ntwo\r\n');
    const written = new Map<string, string>();
    const client = await world.start({
      args: ['--approval-mode', 'yolo'],
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      extend: editor(new Map([[path, 'one\ntwo\n']]), written),
    });
    const sessionId = await client.newSession(world.workspace);
    world.server.script(
      [call('replace', { file_path: 'dos.txt', instruction: 'x', old_string: 'two', new_string: 'three' })],
      [text('Done.')],
    );
    await client.prompt(sessionId, 'change it');
    expect(await readFile(path, 'utf8')).toBe('one\r\nthree\r\n');
    expect(written.size).toBe(0);
  });

  it('that it will not give are read from the disk, and what it does not write fails in a sentence', async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'saved\n');
    const refuse = () => Promise.reject(new Error('not in my project'));
    const client = await world.start({
      args: ['--approval-mode', 'yolo'],
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      extend: app => app.onRequest(fs.readTextFile, refuse).onRequest(fs.writeTextFile, refuse),
    });
    const sessionId = await client.newSession(world.workspace);
    world.server.script(
      [call('replace', { file_path: 'a.txt', instruction: 'x', old_string: 'saved', new_string: 'changed' })],
      [text('Oh.')],
    );
    await client.prompt(sessionId, 'change it');
    expect(results()[0]?.error).toContain('The client did not write');
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('saved\n');
  });
});

interface PlayedTerminal {
  readonly child: ChildProcess;
  output: string;
  readonly exit: Promise<{ exitCode: number | null; signal: string | null }>;
}

/** Terminals as a client runs them: real processes of its own. */
function terminals(played: Map<string, PlayedTerminal>, released: string[]) {
  return (app: ClientApp) =>
    app
      .onRequest(terminal.create, ({ params }) => {
        const { command, args = [], cwd, env = [] } = params;
        const child = spawn(command, args, {
          cwd: cwd ?? undefined,
          env: { PATH: process.env.PATH, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        const one: PlayedTerminal = {
          child,
          output: '',
          exit: new Promise(done => child.on('close', (exitCode, signal) => done({ exitCode, signal }))),
        };
        for (const stream of [child.stdout!, child.stderr!]) {
          stream.setEncoding('utf8').on('data', text => (one.output += text));
        }
        const terminalId = `term${played.size + 1}`;
        played.set(terminalId, one);
        return { terminalId };
      })
      .onRequest(terminal.output, ({ params }) => ({
        output: played.get(params.terminalId)!.output,
        truncated: false,
      }))
      .onRequest(terminal.waitForExit, ({ params }) => played.get(params.terminalId)!.exit)
      .onRequest(terminal.kill, ({ params }) => {
        const { pid } = played.get(params.terminalId)!.child;
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
        return {};
      })
      .onRequest(terminal.release, ({ params }) => {
        released.push(params.terminalId);
        return {};
      });
}

async function startWithTerminals(more: readonly string[] = []) {
  const played = new Map<string, PlayedTerminal>();
  const released: string[] = [];
  const client = await world.start({
    args: ['--approval-mode', 'yolo', ...more],
    capabilities: { terminal: true },
    extend: terminals(played, released),
  });
  return { client, sessionId: await client.newSession(world.workspace), played, released };
}

describe('commands of a client that offers terminals', () => {
  it.skipIf(process.platform !== 'linux')(
    'run in the sandbox where it is on, and so in no terminal of the client',
    async () => {
      await mustHaveSandbox();
      const { client, sessionId, played } = await startWithTerminals(['--sandbox', 'on']);
      world.server.script([call('run_shell_command', { command: 'hostname' })], [text('Done.')]);
      await client.prompt(sessionId, 'run it');
      expect(results()[0]?.output).toMatch(/It ran in the sandbox\.\nExit code: 0\n[\s\S]*\nsandbox\n/);
      expect(played.size).toBe(0);
    },
  );

  it('run in one, which is shown in the call, and give output and exit', async () => {
    const { client, sessionId, released } = await startWithTerminals();
    world.server.script(
      [call('run_shell_command', { command: 'echo in a terminal; echo $GIT_TERMINAL_PROMPT; exit 3' })],
      [text('It ended with three.')],
    );
    await client.prompt(sessionId, 'run it');
    expect(results()[0]?.output).toMatch(/Exit code: 3\n[\s\S]*in a terminal\n0\n/);
    const updates = client.of('tool_call_update');
    expect(
      updates.filter(({ content }) => content?.[0]?.type === 'terminal').map(({ content }) => content),
    ).toEqual([[{ type: 'terminal', terminalId: 'term1' }], [{ type: 'terminal', terminalId: 'term1' }]]);
    expect(released).toEqual(['term1']);
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('are killed when the turn is cancelled', async () => {
    const { client, sessionId, played, released } = await startWithTerminals();
    world.server.script([call('run_shell_command', { command: 'echo began; sleep 300' })]);
    const prompted = client.prompt(sessionId, 'run it');
    await expect.poll(() => played.get('term1')?.output).toContain('began');
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(await played.get('term1')!.exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect.poll(() => released).toEqual(['term1']);
  });
});

describe('servers that the client names', () => {
  it('run for the session, with what it sends as it stands', async () => {
    const everything = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-everything/dist/index.js',
    );
    const client = await world.start({ args: ['--approval-mode', 'yolo'] });
    const sessionId = await client.newSession(world.workspace, [
      {
        name: 'everything',
        command: process.execPath,
        args: [everything, 'stdio'],
        env: [{ name: 'PRICE', value: '$HOME costs $5 or ${PATH}' }],
      },
    ]);
    world.server.script([call('mcp_everything_get-env', {})], [text('Seen.')]);
    await client.prompt(sessionId, 'what is in the environment?');
    const [request] = world.server.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(toolNames(request!)).toContain('mcp_everything_echo');
    expect(results()[0]?.output).toContain('$HOME costs $5 or ${PATH}');
    expect(await client.end()).toBe(0);
    expect(client.faults).toEqual([]);
  });
});
