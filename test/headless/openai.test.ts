import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDeadAddress } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { runHeadless } from '../support/headlessRun.ts';
import * as chat from '../support/openaiAnswers.ts';
import { lastToolTexts, type OpenAiServer, startOpenAiServer } from '../support/openaiServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let server: OpenAiServer;
let folder: string;
let workspace: string;

beforeEach(async () => {
  const models = { data: [{ id: 'qwen3', max_model_len: 100_000 }] };
  server = await startOpenAiServer({ apiKey: 'test-key', models });
  folder = await temporaryFolder('folio-openai-');
  workspace = join(folder, 'workspace');
  await mkdir(workspace);
});

afterEach(async () => {
  await server.dispose();
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runHeadless({
    args: [
      '--provider',
      'openai',
      '--model',
      'qwen3',
      '--workspace',
      workspace,
      '--session-dir',
      join(folder, 'sessions'),
      '--approval-mode',
      'yolo',
      ...args,
    ],
    env: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.baseUrl, ...env },
  });
}

describe('a headless run with a chat-completions server', () => {
  it('says how hard the model shall think, where the model knows the word', async () => {
    server.script([chat.text('Done.')], [chat.text('Done.')]);
    expect((await run(['--model', 'gpt-5', '--effort', 'max', '--prompt', 'Go'])).code).toBe(0);
    expect((await run(['--effort', 'max', '--prompt', 'Go'])).code).toBe(0);
    expect(server.requests.map(({ body }) => body.reasoning_effort)).toEqual(['high', undefined]);
    const wrong = await run(['--effort', 'most', '--prompt', 'Go']);
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('--effort')]);
  });

  it('completes a task with tools, through failures of the wire, and continues with it later', async () => {
    await writeFile(join(workspace, 'a.txt'), 'one\n');
    server.script(
      [
        chat.thought('Let me look.'),
        chat.call('create_new_topic', { title: 'Counting' }, { id: 'call_0' }),
        chat.call('read_file', { file_path: 'a.txt' }, { id: 'call_1', index: 1 }),
      ],
      chat.refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after-ms': '10' }),
      [
        // In pieces, with an id that was there before.
        chat.pieces({
          index: 0,
          id: 'call_0',
          function: { name: 'replace', arguments: '{"file_path":"a.txt",' },
        }),
        chat.pieces({ index: 0, function: { arguments: '"old_string":"one","new_string":"two",' } }),
        chat.pieces({ index: 0, function: { arguments: '"instruction":"Count on."}' } }),
      ],
      [chat.call('run_shell_command', { command: 'cat a.txt', description: 'Look' }, { id: 'call_0' })],
      request => [chat.text(`The command said ${/two/.exec(lastToolTexts(request).join())?.[0]}.`)],
    );
    const { code, out, error } = await run(['--prompt', 'Count.', '--output-format', 'stream-json']);
    expect([code, error]).toEqual([0, '']);
    const events = eventsOf(out);
    expect(events.filter(event => event.type === 'call.ended').map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 4 }, () => 'ok'),
    );
    expect(events.findLast(event => event.type === 'text.appended')).toMatchObject({
      text: 'The command said two.',
    });
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('two\n');
    expect(server.requests.map(({ fault }) => fault)).toEqual(Array.from({ length: 5 }, () => undefined));

    server.script([chat.text('Still two.')]);
    const resumed = await run(['--resume', 'latest', '--prompt', 'And now?']);
    expect(resumed).toEqual({ code: 0, out: 'Still two.\n', error: '' });
    const roles = server.requests.at(-1)?.body.messages?.map(({ role }) => role);
    expect(roles?.filter(role => role === 'tool')).toHaveLength(4);
    expect([server.unplayed, server.requests.at(-1)?.fault]).toEqual([0, undefined]);
  });

  it('offers no search that the server cannot do', async () => {
    server.script([chat.text('Hello.')]);
    expect(await run(['--prompt', 'hi'])).toEqual({ code: 0, out: 'Hello.\n', error: '' });
    const names = server.requests[0]?.body.tools?.map(tool => tool.function?.name);
    expect(names).toContain('web_fetch');
    expect(names).not.toContain('google_web_search');
  });

  it('retries an answer that breaks off, and ends with one sentence where retrying would not help', async () => {
    const settings = join(folder, 'settings.json');
    await writeFile(settings, '{"folio.maxAttempts": 2}');
    server.script([chat.text('So f'), chat.reset], [chat.text('So far.')]);
    const retried = await run(['--prompt', 'hi', '--settings', settings]);
    expect([retried.code, retried.out]).toEqual([0, 'So far.\n']);
    expect(retried.error).toMatch(/ Next try in \d+ s \(2 of 2\)\.\n$/);
    server.script(chat.refusal(400, 'qwen3 does not support tools'));
    const refused = await run(['--prompt', 'hi']);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.error).toContain('The model "qwen3" cannot call tools');
    expect(refused.error.trim().split('\n')).toHaveLength(1);
  });

  it('tells the model once why the server did not take its call, and keeps that out of the conversation', async () => {
    const refuse = (message: string) => chat.json(400, { error: { message, code: 'tool_use_failed' } });
    server.script(refuse('path is missing'), refuse('no such tool lookup'), [chat.text('Now.')]);
    expect(await run(['--prompt', 'hi'])).toMatchObject({ code: 0, out: 'Now.\n' });
    server.script([chat.text('On.')]);
    expect(await run(['--resume', 'latest', '--prompt', 'on'])).toMatchObject({ code: 0 });
    const reported = server.requests.map(({ body }) =>
      [
        ...JSON.stringify(body.messages).matchAll(
          /was not taken, and nothing of it was done: (.*?)\. Answer/g,
        ),
      ].map(([, reason]) => reason),
    );
    expect(reported).toEqual([[], ['path is missing'], ['no such tool lookup'], []]);
  });

  it('prints an answer that was cut at its length limit, says so and ends with 1', async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 8192 };
    server.script([chat.text('One, two, th'), chat.finish('length', usage)]);
    const cut = await run(['--prompt', 'Count.']);
    expect([cut.code, cut.out]).toEqual([1, 'One, two, th\n']);
    expect(cut.error).toMatch(/^The model reached its length limit after 8,192 tokens.* "Continue" .*\.\n$/);
    server.script([chat.text('ree.')]);
    expect(await run(['--resume', 'latest', '--prompt', 'Continue.'])).toMatchObject({
      code: 0,
      out: 'ree.\n',
    });
    expect(server.requests.at(-1)?.body.messages?.at(-2)).toMatchObject({ content: 'One, two, th' });
  });

  it('says what is wrong with the key or the address', async () => {
    const wrong = await run(['--prompt', 'hi'], { OPENAI_API_KEY: 'wrong' });
    expect(wrong.code).toBe(1);
    expect(wrong.error).toContain('rejected the API key');
    // Not tried again for minutes, as a server elsewhere would be.
    const dead = await run(['--prompt', 'hi', '--base-url', await findDeadAddress()]);
    expect(dead.code).toBe(1);
    expect(dead.error).toMatch(
      /^Cannot reach .* at \S+ .* Start the server or change its address in the option --base-url, then retry\.\n$/,
    );
    const unknown = await run(['--prompt', 'hi', '--provider', 'other']);
    expect([unknown.code, unknown.error]).toEqual([
      2,
      '--provider takes gemini, anthropic, openai-responses, openai, vertex, bedrock, not other. See --help.\n',
    ]);
  });

  it('is chosen by the settings as well, and the key never reaches a command', async () => {
    const settings = join(folder, 'settings.json');
    await writeFile(
      settings,
      JSON.stringify({
        folio: { provider: 'openai', openai: { baseUrl: server.baseUrl, contextLimit: 9000 } },
      }),
    );
    server.script(
      [chat.call('run_shell_command', { command: 'env', description: 'Look' }, { id: 'a' })],
      [chat.text('Done.')],
    );
    const { code, out } = await runHeadless({
      args: [
        '--workspace',
        workspace,
        '--session-dir',
        join(folder, 'sessions'),
        '--model',
        'qwen3',
        '--settings',
        settings,
        '--approval-mode',
        'yolo',
        '--prompt',
        'hi',
      ],
      env: { OPENAI_API_KEY: 'test-key' },
    });
    expect([code, out]).toEqual([0, 'Done.\n']);
    expect(lastToolTexts(server.requests[1]!).join()).toContain('PATH=');
    expect(lastToolTexts(server.requests[1]!).join()).not.toContain('test-key');
  });
});

describe('a chat server of which no model was chosen', () => {
  const bare = (...more: readonly string[]) =>
    runHeadless({
      args: ['--provider', 'openai', '--prompt', 'Hi', '--workspace', workspace, ...more],
      env: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.baseUrl },
    });

  it('works with the first of its list', async () => {
    server.script([chat.text('Hello.')]);
    expect(await bare()).toMatchObject({ code: 0, error: '', out: 'Hello.\n' });
    expect(server.requests.at(-1)!.body.model).toBe('qwen3');
  });

  it('is asked for the model that was chosen, also where it lists no such', async () => {
    server.script([chat.text('Hello.')]);
    const { code, error } = await bare('--model', 'gemini-2.5-pro');
    expect(code).toBe(0);
    expect(error).toContain('Near it: qwen3.');
    expect(server.requests.at(-1)!.body.model).toBe('gemini-2.5-pro');
  });
});
