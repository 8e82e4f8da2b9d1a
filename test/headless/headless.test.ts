import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRehearsal } from '../../src/extension/rehearsal/rehearsal.ts';
import type { WireChunk } from '../../src/extension/rehearsal/wire.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../src/protocol/state.ts';
import { callFaults } from '../support/checkHistory.ts';
import {
  call,
  chunk,
  hang,
  invalidKey,
  modelNotFound,
  refusal,
  text,
  unavailable,
} from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessOptions } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

let world: HeadlessWorld;
let server: GeminiServer;
let folder: string;
let workspace: string;

beforeEach(async () => {
  world = await HeadlessWorld.make();
  ({ server, folder, workspace } = world);
});

afterEach(() => world.dispose());

function run(args: readonly string[], options?: Omit<HeadlessOptions, 'args'>) {
  return world.run(args, options);
}

/** Of the only session; beside it there may be folders of another kind. */
async function readJournal(): Promise<string> {
  const names = await readdir(join(folder, 'sessions'));
  const paths = names.map(name => join(folder, 'sessions', name, 'journal.jsonl')).filter(existsSync);
  expect(paths).toHaveLength(1);
  return readFile(paths[0]!, 'utf8');
}

describe('a headless run', () => {
  it('prints the answer and ends with 0', async () => {
    server.script([text('Hello '), text('there.')]);
    expect(await run(['--prompt', 'hi'])).toEqual({ code: 0, out: 'Hello there.\n', error: '' });
  });

  it('completes a task of fifty steps that edits and runs', async () => {
    const steps = 50;
    for (let i = 1; i < steps; i++) {
      if (i === 1) server.script([call('create_new_topic', { title: 'Counting' })]);
      else if (i % 7 === 0) server.script([call('run_shell_command', { command: `cat f${i - 1}.txt` })]);
      else
        server.script([
          call('write_file', { file_path: `f${i}.txt`, content: `${i}\n` }),
          call('glob', { pattern: '*.txt' }),
        ]);
    }
    server.script(request => [text(`The last command said ${JSON.stringify(lastResults(request).length)}.`)]);
    // After thirty steps a model would be asked whether they lead anywhere, and the script knows nothing of that.
    const settings = join(folder, 'settings.json');
    await writeFile(settings, '{"folio.loopDetection": false}');
    const { code, out, error } = await run([
      '--prompt',
      'count',
      '--settings',
      settings,
      '--approval-mode',
      'yolo',
      '--output-format',
      'stream-json',
    ]);
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(server.requests.filter(request => request.fault)).toEqual([]);
    expect(server.unplayed).toBe(0);
    const events = eventsOf(out);
    expect(callFaults(events)).toEqual([]);
    expect(events.filter(event => event.type === 'step.ended')).toHaveLength(steps);
    expect(events.filter(event => event.type === 'call.ended' && event.outcome !== 'ok')).toEqual([]);
    expect((await readdir(workspace)).length).toBeGreaterThan(35);
  });

  it('prints one event a line whose fold is the recorded session', async () => {
    server.script(
      [call('create_new_topic', { title: 'Looking' }), call('list_directory', { dir_path: '.' })],
      [text('Empty.')],
    );
    const { out } = await run(['--prompt', 'look', '--output-format', 'stream-json']);
    const printed = eventsOf(out);
    expect(printed.map(event => event.seq)).toEqual(printed.map((_, index) => index + 1));
    const journal = eventsOf(await readJournal());
    expect(journal).toEqual(printed.filter(event => event.type !== 'call.output'));
    expect(printed.reduce(reduce, emptySession).chapters.map(chapter => chapter.title)).toEqual([
      '',
      'Looking',
    ]);
  });

  it('sums up as one JSON object', async () => {
    server.script([call('create_new_topic', { title: 'Looking' })], [text('Done.')]);
    const { out } = await run(['--prompt', 'look', '--output-format', 'json']);
    expect(JSON.parse(out)).toMatchObject({
      end: { kind: 'rested' },
      answer: 'Done.',
      chapters: [{ title: 'Looking' }],
    });
  });

  it('denies what would ask, and tells the model why', async () => {
    server.script([call('write_file', { file_path: 'a.txt', content: 'x' })], request => [
      text(lastResults(request)[0]!.error!),
    ]);
    const { out, code } = await run(['--prompt', 'write']);
    expect(code).toBe(0);
    expect(out).toContain('needs approval and nobody is there');
    expect(await readdir(workspace)).toEqual([]);
  });

  it('neither writes nor runs in a restricted workspace, whatever the mode', async () => {
    server.script(
      [
        call('write_file', { file_path: 'a.txt', content: 'x' }),
        call('run_shell_command', { command: 'touch b.txt' }),
      ],
      [text('No.')],
    );
    await run(['--prompt', 'write', '--approval-mode', 'yolo', '--untrusted']);
    expect(await readdir(workspace)).toEqual([]);
  });

  it('reaches nothing outside the workspace, also not through a link', async () => {
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await symlink(folder, join(workspace, 'out'));
    const paths = ['../secret.txt', 'out/secret.txt', join(folder, 'secret.txt')];
    server.script(paths.map(file_path => call('read_file', { file_path })));
    server.script([
      call('write_file', { file_path: 'out/new.txt', content: 'x' }),
      call('list_directory', { dir_path: 'out' }),
      call('grep_search', { pattern: 'secret', dir_path: 'out' }),
      call('glob', { pattern: '**/*.txt', dir_path: '..' }),
    ]);
    server.script([text('Done.')]);
    await run(['--prompt', 'read', '--approval-mode', 'yolo']);
    const results = server.requests.slice(1).flatMap(lastResults);
    expect(results).toHaveLength(7);
    for (const result of results) expect(result.error, result.name).toContain('outside the workspace');
    expect((await readdir(folder)).sort()).toEqual(['secret.txt', 'sessions', 'workspace']);
  });

  it('sends a first request of at most 16,000 bytes with the whole tool set', async () => {
    server.script([text('Hi.')]);
    await run(['--prompt', 'hi']);
    expect(server.requests[0]!.body.tools?.[0]?.functionDeclarations).toHaveLength(14);
    expect(server.requests[0]!.bytes).toBeLessThanOrEqual(16_000);
  });

  it('keeps its system prompt when a chapter begins, which the conversation tells', async () => {
    server.script([call('create_new_topic', { title: 'Reading' })], [text('Done.')]);
    await run(['--prompt', 'go']);
    const [first, second] = server.requests.map(request => JSON.stringify(request.body.systemInstruction));
    expect(second).toBe(first);
    expect(lastResults(server.requests[1]!)[0]!.output).toBe('Topic changed to: "Reading"');
  });
});

describe('the model of a run', () => {
  it('reads the whole of an output that was cut', async () => {
    server.script(
      [call('run_shell_command', { command: 'seq 1 20000' })],
      request => {
        const { output } = lastResults(request)[0]!;
        expect(output!.length).toBeLessThan(41_000);
        const file_path = /The whole is in (\S+): /.exec(output!)![1]!;
        return [
          call('read_file', { file_path, start_line: 10_000, end_line: 10_001 }),
          call('write_file', { file_path, content: 'x' }),
        ];
      },
      [text('Done.')],
    );
    await run(['--prompt', 'count', '--approval-mode', 'yolo']);
    const [read, write] = lastResults(server.requests[2]!);
    expect(read!.output).toContain('10000\n10001');
    expect(write!.error).toContain('outside the workspace');
  });

  it('fetches and searches the web through the same service', async () => {
    const uri = 'https://example.org/a';
    const asks = [
      call('web_fetch', { prompt: `Read ${uri}` }),
      call('google_web_search', { query: 'folio' }),
    ];
    const answers = {
      urlContext: {
        urlContextMetadata: {
          urlMetadata: [{ retrievedUrl: uri, urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
        },
      },
      googleSearch: { groundingMetadata: { groundingChunks: [{ web: { uri, title: 'A' } }] } },
    };
    server.script(asks);
    server.afterScript(({ body }) => {
      const tools = JSON.stringify(body.tools);
      const [name, more] = Object.entries(answers).find(([each]) => tools.includes(each)) ?? ['done', {}];
      return [
        chunk({
          candidates: [{ content: { role: 'model', parts: [{ text: name }] }, ...more }],
        } as WireChunk),
      ];
    });
    const { out } = await run(['--prompt', 'look', '--approval-mode', 'yolo']);
    expect(out).toBe('done\n');
    const [fetched, searched] = lastResults(server.requests.at(-1)!);
    expect(fetched!.output).toMatch(/urlContext[\s\S]*example\.org/);
    expect(searched!.output).toMatch(/googleSearch[\s\S]*\[1\] A \(https:\/\/example\.org/);
    expect(server.requests.filter(request => request.fault)).toEqual([]);
  });

  it('reads the prompt that the environment asks for', async () => {
    await writeFile(join(workspace, 'own.md'), 'An own prompt.');
    server.afterScript([text('Hi.')]);
    await run(['--prompt', 'hi'], { env: { GEMINI_WRITE_SYSTEM_MD: 'composed.md' } });
    await run(['--prompt', 'hi'], { env: { GEMINI_PROMPT_SAFETY: '0' } });
    await run(['--prompt', 'hi'], { env: { GEMINI_SYSTEM_MD: 'own.md' } });
    const [whole, without, own] = server.requests.map(
      ({ body }) => (body.systemInstruction as { parts: { text: string }[] }).parts[0]!.text,
    );
    expect(await readFile(join(workspace, 'composed.md'), 'utf8')).toBe(`${whole}\n`);
    expect(whole).toContain('# Safety');
    expect(without).not.toContain('# Safety');
    expect(own).toContain('An own prompt.');
    expect(own).not.toContain('# Safety');
  });

  it('has neither tool nor words for chapters where the person wants none', async () => {
    server.script([call('create_new_topic', { title: 'Reading' })], [text('Hi.')]);
    await run(['--prompt', 'hi']);
    server.script([call('create_new_topic', { title: 'Writing' })], [text('Hi.')]);
    const env = { GEMINI_PROMPT_CHAPTERS: '0' };
    expect(await run(['--prompt', 'on', '--resume', 'latest'], { env })).toMatchObject({ code: 0 });
    const [first, second, third, last] = server.requests.map(({ body }) => body);
    expect(JSON.stringify(first!.tools)).toContain('create_new_topic');
    expect(JSON.stringify(second!.contents)).toContain('Topic changed to');
    expect(JSON.stringify([third!.tools, third!.systemInstruction])).not.toMatch(
      /create_new_topic|topic|chapter/i,
    );
    expect(JSON.stringify(lastResults(server.requests[3]!))).toContain('No chapters are kept');
    expect(JSON.stringify(last!.systemInstruction)).not.toMatch(/topic|chapter/i);
  });

  it('sees no key: not in commands, journal, output, nor in what the service says', async () => {
    const key = 'a-very-private-key';
    const env = { GEMINI_API_KEY: key, GOOGLE_API_KEY: key };
    server.script(
      [call('run_shell_command', { command: 'env' })],
      refusal(403, 'PERMISSION_DENIED', `Requests of ${key} are blocked.`),
    );
    const args = ['--prompt', 'env', '--approval-mode', 'yolo', '--output-format', 'stream-json'];
    const { code, out, error } = await run(args, { env });
    expect(code).toBe(1);
    const journal = await readJournal();
    expect(journal).toContain('FOLIO=1');
    expect(out + error + journal).not.toContain(key);
  });

  it('gets no settings from the folder that it is started in, also when HOME is blank', async () => {
    await mkdir(join(folder, '.gemini'));
    await writeFile(join(folder, '.gemini', 'settings.json'), '{ "folio": { "model": "planted" } }');
    server.script([text('Hi.')]);
    await run(['--prompt', 'hi'], { env: { HOME: '' }, cwd: folder });
    expect(server.requests[0]!.model).not.toBe('planted');
  });
});

describe('trouble', () => {
  it('with the journal is told whatever the format, and the run goes on', async () => {
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
    [['--prompt', 'x', '--unknown'], 'Unknown option'],
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
    ['a wrong key', invalidKey(), 'Set API Key'],
    ['an unknown model', modelNotFound, 'Select Model'],
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
      onStart: child =>
        child.stdout.on('data', text => String(text).includes('text.appended') && child.kill('SIGINT')),
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
      {
        onStart: child =>
          child.stdout.on('data', text => String(text).includes('call.output') && child.kill('SIGINT')),
      },
    );
    expect(code).toBe(130);
    expect(callFaults(eventsOf(out))).toEqual([]);
    expect(runningSleeps().filter(line => line.includes(one) || line.includes(other))).toEqual([]);
  });
});

function runningSleeps(): readonly string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.startsWith('sleep 1000.'));
}

describe('the rehearsal', () => {
  it('repairs the sample project, and its tests really pass', async () => {
    const { cp } = await import('node:fs/promises');
    await cp(join(import.meta.dirname, '../../sample'), workspace, { recursive: true });
    const rehearsal = await startRehearsal({ pauseMs: 0 });
    try {
      const args = [
        '--prompt',
        'The total is off by one cent. Find out why and fix it.',
        '--approval-mode',
        'yolo',
      ];
      const { code, out } = await run([...args, '--base-url', rehearsal.baseUrl, '--output-format', 'json']);
      expect(code).toBe(0);
      expect(JSON.parse(out).chapters.length).toBeGreaterThanOrEqual(3);
      execFileSync('node', ['--test'], {
        cwd: workspace,
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      });
    } finally {
      await rehearsal.dispose();
    }
  });
});
