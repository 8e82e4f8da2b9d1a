/* What the model of a run gets: outputs, the web, its prompt and tools, and what is kept from it. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WireChunk } from '../../src/extension/rehearsal/wire.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, chunk, refusal, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults } from '../support/geminiServer.ts';
import type { HeadlessOptions } from '../support/headlessProgram.ts';
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

  it('has neither tool nor words for chapters where the user wants none', async () => {
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
    const journal = await world.readJournal();
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
