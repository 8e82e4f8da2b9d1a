import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findToolName } from '../../src/extension/core/calls/correctToolNames.ts';
import { readCallArguments } from '../../src/extension/models/wire/callArguments.ts';
import * as claude from '../support/anthropicAnswers.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import * as chat from '../support/openaiAnswers.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import type { WorldCase } from './report.ts';

interface NameCase extends WorldCase {
  readonly meant: string | undefined;
}

/** The title is the name. */
const names: readonly NameCase[] = [
  { title: 'functions.read_file', source: 'report', meant: 'read_file' },
  { title: 'default_api.read_file', source: 'report', meant: 'read_file' },
  { title: 'default_api:read_file', source: 'report', meant: 'read_file' },
  { title: 'tools.read_file', source: 'report', meant: 'read_file' },
  { title: ' read_file ', source: 'report', meant: 'read_file' },
  { title: 'read_file<|channel|>commentary', source: 'report', meant: 'read_file' },
  { title: 'readFile', source: 'report', meant: 'read_file' },
  { title: 'Read File', source: 'trial', meant: 'read_file' },
  { title: 'mcp__git__log', source: 'report', meant: 'mcp_git_log' },
  { title: 'functions.read_file:0', source: 'report', meant: 'read_file' },
  { title: 'functions.functions.read_file', source: 'report', meant: 'read_file' },
  { title: 'to=functions.read_file', source: 'report', meant: 'read_file' },
  { title: '<|channel|>commentary to=functions.read_file<|message|>', source: 'report', meant: 'read_file' },
  { title: '<function=read_file>', source: 'report', meant: 'read_file' },
  { title: 'tool_call:read_file', source: 'report', meant: 'read_file' },
  { title: 'read_file()', source: 'report', meant: 'read_file' },
  { title: '"read_file"', source: 'report', meant: 'read_file' },
  { title: 'functions__read_file', source: 'report', meant: 'read_file' },
  { title: 'Read', source: 'report', meant: 'read_file' },
  { title: 'read_file, read_many_files', source: 'trial', meant: undefined },
  { title: 'delete.read_file', source: 'trial', meant: undefined },
  { title: 'Edit', source: 'trial', meant: undefined },
  { title: 'multi_tool_use.parallel', source: 'report', meant: undefined },
  { title: 'réad_file', source: 'trial', meant: undefined },
  { title: 'a'.repeat(260), source: 'trial', meant: undefined },
  { title: '<|constrain|>json', source: 'report', meant: undefined },
];

interface ArgumentsCase extends WorldCase {
  readonly text: string;
  /** An object: repaired. Words: what the model hears of it. */
  readonly read: Readonly<Record<string, unknown>> | RegExp;
  /** The answer reached its length limit within them. */
  readonly isCut?: true;
}

const written: readonly ArgumentsCase[] = [
  { title: 'a raw line break', source: 'report', text: '{"a": "x\ny\tz"}', read: { a: 'x\ny\tz' } },
  { title: 'the object twice', source: 'report', text: '{"a": 1}{"a": 1}', read: { a: 1 } },
  { title: 'an empty object first', source: 'report', text: '{}{"a": 1}', read: { a: 1 } },
  {
    title: 'two objects that differ',
    source: 'trial',
    text: '{"a": 1}{"a": 2}',
    read: /from character 9 on/,
  },
  { title: 'encoded twice', source: 'report', text: '"{\\"a\\": 1}"', read: { a: 1 } },
  { title: 'nothing', source: 'report', text: '', read: {} },
  { title: 'null', source: 'report', text: 'null', read: {} },
  { title: 'single quotes', source: 'report', text: "{'a': 1}", read: /from character 2 on.*at: 'a'/ },
  { title: 'a word of Python', source: 'report', text: '{"a": True}', read: /from character 7 on.*at: True/ },
  { title: 'a list', source: 'report', text: '[]', read: /one JSON object, not a list/ },
  { title: 'a number', source: 'trial', text: '7', read: /one JSON object, not a number/ },
  { title: 'braces within a string', source: 'trial', text: '{"a": "}{"}', read: { a: '}{' } },
  { title: 'an open object', source: 'report', text: '{"a": ', read: /end in the middle/ },
  { title: 'an open string', source: 'trial', text: '{"a": "x', read: /end in the middle/ },
  {
    title: 'a missing brace',
    source: 'report',
    text: '{"a": {"b": 1}',
    read: /end in the middle, behind: .*1}$|middle/,
  },
  {
    title: 'one bare quote within a string',
    source: 'report',
    text: '{"a": "a screen of 5" is small"}',
    read: /from character 23 on, behind: .*5" , at: is small.*A quote within a string/,
  },
  {
    title: 'quotes around a word of a string, and line breaks',
    source: 'report',
    text: '{"a": "x\n  say "hi"\n", "b": 1}',
    read: /, at: hi"\\n".*A quote within a string/,
  },
  {
    title: 'a bare quote far behind',
    source: 'trial',
    text: `{"a": "${'x'.repeat(9000)}"y"}`,
    read: /from character 9009 on/,
  },
  {
    title: 'a value without quotes',
    source: 'report',
    text: '{"a": src/x.ts}',
    read: /from character 7 on.*at: src/,
  },
  { title: 'a comma behind the last', source: 'report', text: '{"a": 1,}', read: /from character 9 on/ },
  {
    title: 'a fence around it',
    source: 'report',
    text: '```json\n{"a": 1}\n```',
    read: /from character 1 on/,
  },
  { title: 'cut at the length limit', source: 'report', text: '{"a": "x', read: /length limit/, isCut: true },
  { title: 'nothing, at the length limit', source: 'report', text: '', read: /length limit/, isCut: true },
];

describe('arguments as they are written', () => {
  it.each(written)('$title', ({ text, read, isCut }) => {
    const found = readCallArguments(text, isCut);
    if (read instanceof RegExp) expect(found).toEqual({ args: {}, unreadable: expect.stringMatching(read) });
    else expect(found).toEqual({ args: read });
  });
});

describe('the name of a call', () => {
  const known = new Map(['read_file', 'read_many_files', 'mcp_git_log'].map(name => [name, true]));

  it.each(names)('$title', ({ title, meant }) => expect(findToolName(title, known)).toBe(meant));
});

describe('a session with such calls', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'the content of a');
  });

  const run = (provider: string, model: string, baseUrl: string) =>
    runHeadless({
      args: [
        '--workspace',
        world.workspace,
        '--provider',
        provider,
        '--base-url',
        baseUrl,
        '--model',
        model,
        '--prompt',
        'go',
      ],
      env: { ANTHROPIC_API_KEY: 'test', OPENAI_API_KEY: 'test' },
    });

  it('continues with Anthropic, whatever the names', async () => {
    const server = await startAnthropicServer();
    for (const [at, { title }] of names.entries())
      server.script([claude.call(title, { file_path: 'a.txt', end_line: at + 1 }, `toolu_${at}`)]);
    server.script([claude.text('Done.')]);
    const { code, error } = await run('anthropic', 'claude-opus-4-6', server.baseUrl);
    await server.dispose();
    expect(code, error).toBe(0);
    expect(server.requests.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    expect(JSON.stringify(server.requests.at(-1)?.body).split('the content of a').length).toBeGreaterThan(7);
  });

  it('continues with chat completions, whatever the arguments, and calls within one call are made', async () => {
    const server = await startOpenAiServer();
    const reported = written.filter(({ read }) => read instanceof RegExp);
    const piecesOf = ({ text }: ArgumentsCase, at: number) =>
      chat.pieces({
        index: at,
        id: `call_${at}${text.length}`,
        function: { name: 'read_file', arguments: text },
      });
    const [cut, whole] = [reported.filter(({ isCut }) => isCut), reported.filter(({ isCut }) => !isCut)];
    server.script(whole.map(piecesOf));
    for (const each of cut) server.script([piecesOf(each, 0), chat.finish('length')]);
    server.script([chat.pieces({ index: 0, id: 'call_x', function: { name: '', arguments: '{}' } })]);
    const uses = [{ recipient_name: 'functions.read_file', parameters: { file_path: 'a.txt' } }];
    server.script(
      [chat.call('multi_tool_use.parallel', { tool_uses: [...uses, ...uses] })],
      [chat.text('Done.')],
    );
    const { code, error } = await run('openai', 'm', server.baseUrl);
    await server.dispose();
    expect(code, error).toBe(0);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last.split('could not be read as one JSON object').length).toBe(reported.length + 1);
    expect(last).toContain('The call has no name.');
    expect(server.requests.length).toBe(cut.length + 4);
    expect(last.split('the content of a').length).toBe(3);
  });
});
