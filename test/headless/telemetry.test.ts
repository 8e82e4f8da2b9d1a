import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Collector } from '../support/collector.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, refusal, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import type { HeadlessResult } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { secrets } from '../support/secrets.ts';
import { counted, long, summary } from '../support/wireWorld.ts';

const agent = `---
name: proof-reader
description: Reads texts for mistakes
tools: Read
---
You look for mistakes in texts.
`;

/** A server on standard input and output, which writes down the `_meta` of a call. */
const serverThatNotes = (notes: string) => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method]?.(params);
    const rest = answer ? { result: answer } : { error: { code: -32601, message: 'Unknown' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
  });
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'tide', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'table', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ _meta }) => {
      require('node:fs').writeFileSync(${JSON.stringify(notes)}, JSON.stringify(_meta ?? {}));
      return { content: [{ type: 'text', text: 'High at noon' }] };
    },
  };
`;

describe('telemetry of a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let server: GeminiServer;
  const collector = eachTest(() => Collector.start());
  beforeEach(async () => {
    ({ server } = world);
    await writeFile(join(world.workspace, 'a.txt'), long(600));
  });

  const run = (env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) =>
    world.run(['--prompt', 'Read the tide table', '--output-format', 'stream-json', ...more], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
    });

  const expectDone = ({ code, error }: HeadlessResult) => {
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(collector.refused).toEqual([]);
  };

  const read = call('read_file', { file_path: 'a.txt' });

  async function withAgent(): Promise<void> {
    await mkdir(join(world.workspace, '.claude', 'agents'), { recursive: true });
    await writeFile(join(world.workspace, '.claude', 'agents', 'proof-reader.md'), agent);
  }

  it('is a tree of spans: turn, requests, calls, a subagent in its call, a compression', async () => {
    await withAgent();
    server.script([call('invoke_agent', { agent_name: 'proof-reader', prompt: 'Read a.txt' })]);
    server.script([read], [call('complete_task', { result: 'All is well.' })]);
    server.script([read], [call('read_file', { file_path: 'missing.txt' })]);
    server.script(counted(600_000, read), ...summary('4711'), [text('Done.')]);
    expectDone(await run({}, '--trusted'));
    expect(server.unplayed).toBe(0);
    const turn = 'gemini-2.5-pro';
    expect(collector.tree()).toEqual([
      [
        'invoke_agent folio',
        [
          `chat ${turn}`,
          [
            'execute_tool invoke_agent',
            [
              [
                'invoke_agent proof-reader',
                [
                  expect.stringMatching(/^chat /),
                  'execute_tool read_file',
                  expect.stringMatching(/^chat /),
                  'execute_tool complete_task',
                ],
              ],
            ],
          ],
          `chat ${turn}`,
          'execute_tool read_file',
          `chat ${turn}`,
          'execute_tool read_file',
          `chat ${turn}`,
          'execute_tool read_file',
          'folio.compression',
          `chat ${turn}`,
        ],
      ],
    ]);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(collector.named('execute_tool read_file').map(({ failed }) => failed)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('names what it says by the conventions', async () => {
    server.script(counted(1_000, read), [text('Done.')]);
    expectDone(await run());
    const [turn] = collector.named('invoke_agent folio');
    const [chat] = collector.named('chat gemini-2.5-pro');
    const [tool] = collector.named('execute_tool read_file');
    const conversation = turn!.attributes['gen_ai.conversation.id'];
    expect(conversation).toMatch(/^[\w-]{8,}$/);
    expect(turn).toMatchObject({
      kind: 1,
      failed: false,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'folio',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'folio.turn.end': 'rested',
      },
    });
    expect(chat).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.request.stream': true,
        'gen_ai.conversation.id': conversation,
        'gen_ai.response.finish_reasons': ['STOP'],
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': expect.any(Number),
        'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
      },
    });
    expect(tool).toMatchObject({
      kind: 1,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'read_file',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': expect.any(String),
      },
    });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'folio',
      'telemetry.sdk.language': 'nodejs',
    });
    const units = Object.fromEntries(collector.points.map(({ metric, unit }) => [metric, unit]));
    expect(units).toEqual({
      'gen_ai.client.token.usage': '{token}',
      'gen_ai.client.operation.duration': 's',
      'gen_ai.client.operation.time_to_first_chunk': 's',
      'gen_ai.execute_tool.duration': 's',
      'gen_ai.invoke_agent.duration': 's',
    });
    expect(
      collector.points.filter(({ attributes }) => attributes['gen_ai.token.type'] === 'input'),
    ).toMatchObject([{ count: 2, attributes: { 'gen_ai.request.model': 'gemini-2.5-pro' } }]);
  });

  it('has one request for each attempt, and the kind of what made a turn fail', async () => {
    server.script(
      refusal(503, 'UNAVAILABLE', 'Busy. Please retry in 5ms.'),
      refusal(400, 'INVALID_ARGUMENT', 'No.'),
    );
    expect((await run()).code).toBe(1);
    expect(collector.refused).toEqual([]);
    const [turn] = collector.named('invoke_agent folio');
    const errors = collector.named('chat gemini-2.5-pro').map(({ attributes }) => attributes['error.type']);
    expect(errors).toEqual(['_OTHER', turn!.attributes['error.type']]);
    expect(turn).toMatchObject({ failed: true, attributes: { 'folio.turn.end': 'failed' } });
  });

  it('holds no text, unless a second switch says so', async () => {
    server.script([read], [text('The answer is forty-two.')]);
    expectDone(await run());
    const sent = collector.requests.map(request => request.text).join('\n');
    for (const word of ['tide table', 'forty-two', 'a.txt', world.workspace])
      expect(sent).not.toContain(word);
  });

  it('masks secrets in texts as the journal does', async () => {
    const { text: github, hidden } = secrets['a GitHub token']!;
    await writeFile(join(world.workspace, 'a.txt'), `token = ${github}\nsand`);
    server.script([read], [text(`It says ${github} and forty-two.`)]);
    expectDone(await run({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }));
    const sent = collector.requests.map(request => request.text).join('\n');
    expect(sent).not.toContain(hidden);
    const [first, second] = collector.named('chat gemini-2.5-pro').map(({ attributes }) => attributes);
    expect(JSON.parse(String(first!['gen_ai.input.messages']))).toContainEqual({
      role: 'user',
      parts: expect.arrayContaining([{ type: 'text', content: 'Read the tide table' }]),
    });
    expect(JSON.parse(String(first!['gen_ai.output.messages']))).toMatchObject([
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'read_file' }] },
    ]);
    expect(JSON.parse(String(second!['gen_ai.input.messages']))).toMatchObject([
      { role: 'tool', parts: [{ type: 'tool_call_response', response: expect.stringContaining('sand') }] },
    ]);
    expect(second!['gen_ai.output.messages']).toContain('forty-two');
    expect(collector.named('execute_tool read_file')[0]!.attributes['gen_ai.tool.call.arguments']).toBe(
      '{"file_path":"a.txt"}',
    );
  });

  it.each([
    ['nothing names a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['it is switched off', { OTEL_SDK_DISABLED: 'true' }],
    ['neither is to be sent', { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('sends nothing where %s', async (_, env) => {
    server.script([text('Done.')]);
    expectDone(await run(env));
    expect(collector.requests).toEqual([]);
  });

  it.each([
    ['', '/v1/traces'],
    ['/', '/v1/traces'],
    ['/otlp/', '/otlp/v1/traces'],
  ])('puts the path of a signal behind the address with the path "%s"', async (path, expected) => {
    server.script([text('Done.')]);
    expectDone(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}${path}` }));
    expect(collector.requests.map(request => request.path)).toContain(expected);
  });

  it('uses the address of one signal as it is, with headers, a name and compression', async () => {
    server.script([text('Done.')]);
    const result = await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/v1/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=sea%20side,x-other=1',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'harbour',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=ci,service.name=other',
    });
    expectDone(result);
    expect(collector.requests).toHaveLength(1);
    expect(collector.requests[0]).toMatchObject({
      path: '/own/v1/traces',
      headers: { 'x-team': 'sea side', 'x-other': '1', 'content-encoding': 'gzip' },
    });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'harbour',
      'deployment.environment.name': 'ci',
    });
  });

  it('continues the trace of the program that starts it', async () => {
    server.script([text('Done.')]);
    const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    expectDone(await run({ TRACEPARENT: `00-${trace}-${parent}-01` }));
    expect(collector.named('invoke_agent folio')).toMatchObject([{ traceId: trace, parentId: parent }]);
  });

  it('goes where a settings file says, and has texts where that says so', async () => {
    const settings = join(world.folder, 'settings.json');
    const telemetry = { endpoint: collector.url, captureContent: true };
    await writeFile(settings, JSON.stringify({ folio: { telemetry } }));
    server.script([text('Done.')]);
    expectDone(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, '--settings', settings));
    expect(collector.named('chat gemini-2.5-pro')[0]!.attributes['gen_ai.input.messages']).toContain(
      'tide table',
    );
  });

  it('goes nowhere because of a file of the workspace', async () => {
    await mkdir(join(world.workspace, '.gemini'));
    const telemetry = { endpoint: collector.url, captureContent: true };
    await writeFile(
      join(world.workspace, '.gemini', 'settings.json'),
      JSON.stringify({ folio: { telemetry } }),
    );
    server.script([text('Done.')]);
    expect((await run({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, '--trusted')).code).toBe(0);
    expect(collector.requests).toEqual([]);
  });

  it('continues on an MCP server, which gets the span of its call', async () => {
    const [program, notes] = [join(world.folder, 'server.cjs'), join(world.folder, 'notes.json')];
    await writeFile(program, serverThatNotes(notes));
    const tide = { command: process.execPath, args: [program], trust: true };
    await mkdir(join(world.folder, 'home', '.gemini'), { recursive: true });
    const home = join(world.folder, 'home');
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ mcpServers: { tide } }));
    server.script([call('mcp_tide_table', {})], [text('Done.')]);
    expectDone(await run({ HOME: home, USERPROFILE: home }, '--server-start', '240'));
    const [span] = collector.named('execute_tool mcp_tide_table');
    expect(JSON.parse(await readFile(notes, 'utf8'))).toMatchObject({
      traceparent: `00-${span!.traceId}-${span!.id}-01`,
    });
    expect(span).toMatchObject({ failed: false, attributes: { 'mcp.method.name': 'tools/call' } });
    expect(collector.points.map(({ metric }) => metric)).toContain('mcp.client.operation.duration');
  });

  it.each([
    ['is down', 'http://127.0.0.1:9', () => {}],
    ['answers with 500', undefined, () => (collector.otherwise = { status: 500 })],
    ['hangs', undefined, () => (collector.otherwise = 'hang' as const)],
    ['has no address', 'collector:4318', () => {}],
  ])(
    'that cannot be sent, since the collector %s, costs the work nothing but a line',
    async (_, url, make) => {
      make();
      server.script([read], [text('Done.')]);
      const result = await run({
        OTEL_EXPORTER_OTLP_ENDPOINT: url ?? collector.url,
        OTEL_METRICS_EXPORTER: 'none',
      });
      expect(result.code).toBe(0);
      expect(result.out).toContain('Done.');
      expect(result.error).toMatch(/^error: Telemetry[^\n]*\n$/);
    },
  );

  it('loses nothing to a collector that is busy for a moment', async () => {
    collector.answers.push({ status: 503, headers: { 'retry-after': '0' } }, { status: 429 });
    server.script([text('Done.')]);
    const result = await run({ OTEL_METRICS_EXPORTER: 'none' });
    expect(result.code).toBe(0);
    expect(collector.named('invoke_agent folio')).toHaveLength(1);
  });

  it('says so when the collector refuses a part', async () => {
    const body = JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'Too many.' } });
    collector.otherwise = { status: 200, body };
    server.script([text('Done.')]);
    const { error } = await run({ OTEL_METRICS_EXPORTER: 'none' });
    expect(error).toContain('refused a part');
  });

  it('is a chunk of its own, which nothing loads at the start', async () => {
    const meta = JSON.parse(
      await readFile(join(import.meta.dirname, '../../dist/meta-headless.json'), 'utf8'),
    );
    const outputs: Record<string, { imports: { path: string; kind: string }[]; inputs: object }> =
      meta.outputs;
    const loaded = new Set(['dist/headless/headless.js']);
    for (const path of loaded)
      for (const { path: next, kind } of outputs[path]?.imports ?? [])
        if (kind === 'import-statement') loaded.add(next);
    const inputs = [...loaded].flatMap(path => Object.keys(outputs[path]?.inputs ?? {}));
    expect(inputs).toContain('src/extension/headless.ts');
    expect(inputs.filter(path => path.includes('/telemetry/'))).toEqual([]);
  });
});
