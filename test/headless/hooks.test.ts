import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessResult } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe.skipIf(process.platform === 'win32')('hooks in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let server: GeminiServer;
  let folder: string;
  let workspace: string;
  beforeEach(async () => {
    ({ server, folder, workspace } = world);
    await mkdir(join(workspace, '.gemini'), { recursive: true });
    await writeFile(join(workspace, 'a.txt'), 'alpha');
    await writeFile(join(folder, 'settings.json'), '{}');
  });

  const put = (path: string, event: string, command: string) =>
    writeFile(path, JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } }));

  function run(...more: readonly string[]): Promise<HeadlessResult> {
    const settings = join(folder, 'settings.json');
    const basics = ['--prompt', 'Read it', '--settings', settings, '--output-format', 'stream-json'];
    return world.run([...basics, ...more], { env: { GEMINI_API_KEY: 'test-key' } });
  }

  it('of the given settings run, and their answer reaches the model over the wire', async () => {
    await put(
      join(folder, 'settings.json'),
      'BeforeTool',
      `cat > told.json; env > environment; echo 'Not this file' >&2; exit 2`,
    );
    server.script([call('read_file', { file_path: 'a.txt' })]);
    server.script([text('Then not.')]);
    const { code, out, error } = await run();
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(JSON.stringify(lastResults(server.requests[1]!))).toContain('Not this file');
    const ended = eventsOf(out).filter(({ type }) => type === 'hook.ended');
    expect(ended).toMatchObject([{ outcome: 'blocked', summary: 'Blocked: Not this file' }]);
    const reported = JSON.parse(await readFile(join(workspace, 'told.json'), 'utf8'));
    expect(reported).toMatchObject({
      cwd: workspace,
      tool_name: 'read_file',
      tool_input: { file_path: 'a.txt' },
    });
    await access(reported.transcript_path);
    const environment = await readFile(join(workspace, 'environment'), 'utf8');
    expect(environment).toContain(`GEMINI_SESSION_ID=${reported.session_id}\n`);
    expect(environment).toContain(`CLAUDE_PROJECT_DIR=${workspace}\n`);
    expect(environment).not.toContain('test-key');
  });

  it.each([
    ['that only narrows the list leaves the choice to the model', 'AUTO', undefined],
    ['that demands a call puts it on the wire', 'ANY', { mode: 'ANY', allowedFunctionNames: ['read_file'] }],
  ])('choose tools: one %s', async (_what, mode, expected) => {
    const toolConfig = { mode, allowedFunctionNames: ['read_file', 'not_there'] };
    const answer = JSON.stringify({ hookSpecificOutput: { toolConfig } });
    // Once: a model that must call something for ever never rests.
    const command = `[ -e asked ] && exit 0; touch asked; echo '${answer}'`;
    await put(join(folder, 'settings.json'), 'BeforeToolSelection', command);
    server.script([call('read_file', { file_path: 'a.txt' })], [text('Done.')]);
    expect(await run()).toMatchObject({ code: 0, error: '' });
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first!.tools?.[0]?.functionDeclarations?.map(({ name }) => name)).toEqual(['read_file']);
    expect(first!.toolConfig?.functionCallingConfig).toEqual(expected);
    expect(second!.toolConfig).toBeUndefined();
  });

  it.each([
    ['runs in place of the result', 'read_file', { file_path: 'b.txt' }, 'beta'],
    [
      'is classified like any other',
      'replace',
      { file_path: 'b.txt', instruction: 'i', old_string: 'beta', new_string: 'new' },
      'needs approval',
    ],
    ['ends after a while when hooks want ever more', 'list_directory', { dir_path: '.' }, 'a.txt'],
  ])('want a call behind a call, which %s', async (_what, name, args, expected) => {
    await writeFile(join(workspace, 'b.txt'), 'beta');
    const answer = JSON.stringify({ hookSpecificOutput: { tailToolCallRequest: { name, args } } });
    const again = name === 'list_directory' ? '' : '[ -e asked ] && exit 0; touch asked; ';
    await put(join(folder, 'settings.json'), 'AfterTool', `${again}echo '${answer}'`);
    server.script([call('read_file', { file_path: 'a.txt' })], [text('Done.')]);
    const { code, out, error } = await run();
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [result] = lastResults(server.requests[1]!);
    expect(JSON.stringify(result)).toContain(`In place of this call's result stands that of ${name}`);
    expect(JSON.stringify(result)).toContain(expected);
    expect(JSON.stringify(result)).not.toContain('alpha');
    expect(await readFile(join(workspace, 'b.txt'), 'utf8')).toBe('beta');
    const events = eventsOf(out);
    const requested = events.flatMap(event => (event.type === 'call.requested' ? [event.tool] : []));
    expect(requested).toEqual(['read_file', ...Array(name === 'list_directory' ? 5 : 1).fill(name)]);
    expect(events.filter(({ type }) => type === 'call.ended')).toHaveLength(requested.length);
  });

  it('want a call behind a call without arguments, which gets those of the first', async () => {
    await writeFile(join(workspace, 'b.txt'), 'beta');
    const answer = JSON.stringify({ hookSpecificOutput: { tailToolCallRequest: { name: 'read_file' } } });
    await put(
      join(folder, 'settings.json'),
      'AfterTool',
      `[ -e asked ] && exit 0; touch asked; echo '${answer}'`,
    );
    server.script([call('read_file', { file_path: 'b.txt' })], [text('Done.')]);
    expect((await run()).code).toBe(0);
    expect(JSON.stringify(lastResults(server.requests[1]!))).toMatch(/stands that of read_file.*beta/);
  });

  it('end the run with code 1 when they end the work', async () => {
    await put(join(folder, 'settings.json'), 'BeforeAgent', 'echo "Out of office"; exit 2');
    const { code, error } = await run();
    expect({ code, error }).toEqual({ code: 1, error: 'A hook ended the work: Out of office\n' });
    expect(server.requests).toHaveLength(0);
  });

  it('of the workspace run only when who starts the run vouches for them', async () => {
    await put(join(workspace, '.gemini', 'settings.json'), 'SessionStart', 'echo ran > ran.txt');
    server.script([text('Done.')]);
    const without = await run();
    expect(without.code).toBe(0);
    expect(without.error).toMatch(/^1 hook of the workspace did not run\..*--trusted\.\n$/);
    await expect(access(join(workspace, 'ran.txt'))).rejects.toThrow();
    server.script([text('Done.')]);
    expect(await run('--trusted')).toMatchObject({ code: 0, error: '' });
    await access(join(workspace, 'ran.txt'));
  });

  it('of a restricted workspace are not even read', async () => {
    await put(join(workspace, '.gemini', 'settings.json'), 'SessionStart', 'echo ran > ran.txt');
    server.script([text('Done.')]);
    expect(await run('--untrusted')).toMatchObject({ code: 0, error: '' });
    await expect(access(join(workspace, 'ran.txt'))).rejects.toThrow();
    expect(await run('--untrusted', '--trusted')).toMatchObject({ code: 2 });
  });
});
