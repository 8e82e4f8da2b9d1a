import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, startGeminiServer } from '../support/geminiServer.ts';
import { eventsOf, type HeadlessResult, runHeadless } from '../support/headlessRun.ts';

describe('a command as a prompt of a headless run', () => {
  let server: GeminiServer;
  let folder: string;
  let workspace: string;
  beforeEach(async () => {
    server = await startGeminiServer();
    folder = await mkdtemp(join(tmpdir(), 'folio-commands-'));
    workspace = join(folder, 'workspace');
    await mkdir(workspace);
  });
  afterEach(async () => {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function run(...args: readonly string[]): Promise<HeadlessResult> {
    const basics = ['--workspace', workspace, '--base-url', server.baseUrl];
    const sessions = ['--session-dir', join(folder, 'sessions')];
    return runHeadless({ args: [...basics, ...sessions, ...args], env: { GEMINI_API_KEY: 'test' } });
  }

  it('shows the commands, and names the nearest to one that there is not', async () => {
    const help = await run('--prompt', '/help');
    expect(help).toMatchObject({ code: 0, error: '' });
    expect(help.out).toMatch(/^\/compress .+\n\/init \[.+\] .+\n/);
    const unknown = await run('--prompt', '/comprss', '--output-format', 'stream-json');
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.error).toContain('There is no command /comprss. The nearest is /compress');
    expect(server.requests).toEqual([]);
  });

  it('shows the memory, that of further folders too', async () => {
    await mkdir(join(folder, 'conventions'));
    await writeFile(join(folder, 'conventions', 'GEMINI.md'), 'Use tabs.');
    const settings = join(folder, 'settings.json');
    await writeFile(settings, '{"folio.memoryFolders":["../conventions"]}');
    const { code, out } = await run('--prompt', '/memory', '--settings', settings);
    expect(code).toBe(0);
    expect(out).toContain('Use tabs.');
    const json = await run('--prompt', '/memory', '--settings', settings, '--output-format', 'json');
    expect(JSON.parse(json.out).answer).toContain('Use tabs.');
  });

  it('has the model write the memory file, while the prompt stays what was typed', async () => {
    server.script(
      [call('write_file', { file_path: 'GEMINI.md', content: 'Run npm test.\n' })],
      [text('Written.')],
    );
    const mode = ['--approval-mode', 'autoEdit', '--output-format', 'stream-json'];
    const { code, out } = await run('--prompt', '/init mind the tests', ...mode);
    expect(code).toBe(0);
    expect(await readFile(join(workspace, 'GEMINI.md'), 'utf8')).toBe('Run npm test.\n');
    const started = eventsOf(out).find(event => event.type === 'turn.started');
    expect(started).toMatchObject({ text: '/init mind the tests' });
    const sent = JSON.stringify(server.requests[0]!.body.contents);
    expect(sent).toContain('Write the memory file of this project, GEMINI.md');
    expect(sent).not.toContain('/init');
  });

  it('says why it cannot be carried out, and sends nothing', async () => {
    const { code, out, error } = await run('--prompt', '/init', '--untrusted');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('Nothing is written in a restricted workspace');
    expect(server.requests).toEqual([]);
  });

  it('compresses an earlier session at once, and the next prompt sends the summary', async () => {
    // Words that differ: a text that only repeats itself is ended as a loop.
    const lines = Array.from(
      { length: 200 },
      (_, n) => `- Invoice ${n}: line ${n * 7} is rounded before the sum.`,
    );
    const long = lines.join('\n');
    server.script([text(long)], [text(long)], [text('Short.')]);
    for (const [index, prompt] of ['First', 'Second', 'Third'].entries()) {
      const resume = index === 0 ? [] : ['--resume', 'latest'];
      expect(await run('--prompt', prompt, ...resume)).toMatchObject({ code: 0 });
    }
    const snapshot = '<state_snapshot><overall_goal>Round once.</overall_goal></state_snapshot>';
    server.script([text(snapshot)], [text(snapshot)]);
    const compressed = await run('--prompt', '/compress', '--resume', 'latest');
    expect(compressed).toMatchObject({ code: 0, error: '' });
    expect(compressed.out).toMatch(/^Compressed from [\d,]+ to [\d,]+ tokens\.\n$/);
    const before = server.requests.length;
    server.script([text('On.')]);
    expect(await run('--prompt', 'Fourth', '--resume', 'latest')).toMatchObject({ code: 0 });
    const sent = JSON.stringify(server.requests[before]!.body.contents);
    expect(sent).toContain('Round once.');
    expect(sent).not.toContain('First');
  });

  it('fails when there is nothing to compress', async () => {
    const { code, out, error } = await run('--prompt', '/compress');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('too little to compress');
  });
});
