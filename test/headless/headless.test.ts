import { execFileSync } from 'node:child_process';
import { cp, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { declareInputs } from '../../scripts/declareInputs.ts';
import { startRehearsal } from '../../src/extension/rehearsal/rehearsal.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../src/protocol/state.ts';
import { callFaults } from '../support/checkHistory.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessOptions } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
let server: GeminiServer;
let folder: string;
let workspace: string;

beforeEach(async () => {
  ({ server, folder, workspace } = world);
});

function run(args: readonly string[], options?: Omit<HeadlessOptions, 'args'>) {
  return world.run(args, options);
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
    const journal = eventsOf(await world.readJournal());
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
    expect(out).toContain('needs approval, but there is no user to ask');
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
    expect((await readdir(folder)).sort()).toEqual(['home', 'secret.txt', 'sessions', 'workspace']);
  });

  it('sends a first request of at most 16,000 bytes with the whole tool set', async () => {
    server.script([text('Hi.')]);
    await run(['--prompt', 'hi']);
    expect(server.requests[0]!.body.tools?.[0]?.functionDeclarations).toHaveLength(14);
    expect(server.requests[0]!.bytes).toBeLessThanOrEqual(16_000);
  });

  it('declares its tools as the build has made them, which is what their schemas say', async () => {
    server.script([text('Hi.')]);
    await run(['--prompt', 'hi']);
    const sent = server.requests[0]!.body.tools?.[0]?.functionDeclarations ?? [];
    const made = declareInputs();
    for (const { name = '', parametersJsonSchema } of sent.filter(each => each.name !== 'run_shell_command'))
      expect(parametersJsonSchema, name).toEqual(made[name]);
    const command = sent.find(({ name }) => name === 'run_shell_command')?.parametersJsonSchema;
    expect(made.run_shell_command).toMatchObject(command as object);
    expect(command).not.toHaveProperty('properties.interactive');
  });

  it('keeps its system prompt when a chapter begins, which the conversation tells', async () => {
    server.script([call('create_new_topic', { title: 'Reading' })], [text('Done.')]);
    await run(['--prompt', 'go']);
    const [first, second] = server.requests.map(request => JSON.stringify(request.body.systemInstruction));
    expect(second).toBe(first);
    expect(lastResults(server.requests[1]!)[0]!.output).toMatch(
      /^Topic changed to: "Reading"\n\n\[Active Topic: Reading\] /,
    );
  });
});

describe('the rehearsal', () => {
  it('repairs the sample project, and its tests really pass', async () => {
    await cp(join(import.meta.dirname, '../../sample'), workspace, { recursive: true });
    const rehearsal = await startRehearsal({ pauseMs: 0 });
    onTestFinished(() => rehearsal.dispose());
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
  });
});
