import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readArguments } from '../../src/extension/core/calls/readArguments.ts';
import type { AnyTool } from '../../src/extension/core/tool.ts';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { toolBench } from '../support/toolBench.ts';
import type { WorldCase } from './report.ts';

interface ArgumentCase extends WorldCase {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** `undefined`: refused. */
  readonly meant: Readonly<Record<string, unknown>> | undefined;
}

const cases: readonly ArgumentCase[] = [
  {
    title: 'the folder of a command, as many agents call it',
    source: 'report',
    tool: 'run_shell_command',
    given: { command: 'ls', directory: 'sub' },
    meant: { command: 'ls', dir_path: 'sub' },
  },
  {
    title: 'lines by offset and limit',
    source: 'report',
    tool: 'read_file',
    given: { file_path: 'a', offset: 10, limit: 5 },
    meant: { file_path: 'a', start_line: 11, end_line: 15 },
  },
  {
    title: 'a limit alone',
    source: 'report',
    tool: 'read_file',
    given: { absolute_path: '/a', limit: 5 },
    meant: { file_path: '/a', end_line: 5 },
  },
  {
    title: 'a limit behind a start under another name',
    source: 'trial',
    tool: 'read_file',
    given: { file_path: 'a', limit: 3, line_start: 5 },
    meant: { file_path: 'a', start_line: 5, end_line: 7 },
  },
  {
    title: 'a range of lines whose end is open',
    source: 'trial',
    tool: 'read_file',
    given: { path: 'a', view_range: [3, -1] },
    meant: { file_path: 'a', start_line: 3 },
  },
  {
    title: 'a search in some files',
    source: 'report',
    tool: 'grep_search',
    given: { pattern: 'x', path: 'src', include: '*.md', '-i': true },
    meant: { pattern: 'x', dir_path: 'src', include_pattern: '*.md', case_sensitive: false },
  },
  {
    title: 'the number of replacements',
    source: 'report',
    tool: 'replace',
    given: { filePath: 'a', instruction: 'i', oldString: 'x', newString: 'y', expectedReplacements: 2 },
    meant: {
      file_path: 'a',
      instruction: 'i',
      old_string: 'x',
      new_string: 'y',
      expected_replacements: 2,
    },
  },
  {
    title: 'an edit that says nothing of its purpose',
    source: 'report',
    tool: 'replace',
    given: { file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 1 },
    meant: { file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 1 },
  },
  {
    title: 'every match',
    source: 'report',
    tool: 'replace',
    given: { file_path: 'a', instruction: 'i', old_string: 'x', new_string: 'y', replace_all: true },
    meant: { file_path: 'a', instruction: 'i', old_string: 'x', new_string: 'y', allow_multiple: true },
  },
  {
    title: 'two names for one argument that agree',
    source: 'trial',
    tool: 'list_directory',
    given: { dir_path: 'src', path: 'src' },
    meant: { dir_path: 'src' },
  },
  {
    title: 'two names for one argument that differ',
    source: 'trial',
    tool: 'list_directory',
    given: { dir_path: 'src', path: 'test' },
    meant: undefined,
  },
  {
    title: 'optional arguments filled with null',
    source: 'report',
    tool: 'grep_search',
    given: { pattern: 'x', dir_path: null, unheard_of: null },
    meant: { pattern: 'x' },
  },
  {
    title: 'an exclusion that means files elsewhere and lines here',
    source: 'trial',
    tool: 'grep_search',
    given: { pattern: 'x', exclude: '*.md' },
    meant: undefined,
  },
  {
    title: 'an unknown argument within a list',
    source: 'trial',
    tool: 'edit_notebook',
    given: { file_path: 'a.ipynb', operations: [{ op: 'delete', cell: 1, cell_number: 2 }] },
    meant: undefined,
  },
  {
    title: 'a name in camel case within an object',
    source: 'trial',
    tool: 'list_directory',
    given: { dirPath: 'src', file_filtering_options: { respectGitIgnore: false } },
    meant: { dir_path: 'src', file_filtering_options: { respect_git_ignore: false } },
  },
];

describe('the arguments of a call', () => {
  const world = allTests(() => PolicyWorld.make());
  const bench = allTests(() => toolBench(world));
  const toolOf = (name: string) => bench.tools.find(tool => tool.name === name)!;

  it.each(cases)('$title ($tool)', ({ tool, given, meant }) => {
    const { args, parsed } = readArguments(toolOf(tool), given);
    expect(parsed.success).toBe(meant !== undefined);
    if (meant !== undefined) expect(args).toEqual(meant);
  });

  it('that a tool does not have are refused by every tool, with the names that exist', () => {
    for (const tool of bench.tools) {
      const { parsed } = readArguments(tool, { unheard_of: 1 });
      const message = parsed.success ? '' : parsed.error.issues.map(issue => issue.message).join();
      for (const name of namesOf(tool)) expect(message, tool.name).toContain(name);
      expect(parsed.success, tool.name).toBe(false);
    }
  });

  it('are refused under names that every object inherits', () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype);
    for (const tool of bench.tools)
      for (const name of inherited) {
        const given: unknown = JSON.parse(`{${JSON.stringify(name)}: 1}`);
        const { parsed } = readArguments(tool, given as Readonly<Record<string, unknown>>);
        expect(parsed.success, `${tool.name} ${name}`).toBe(false);
      }
  });

  it('are understood in camel case by every tool', () => {
    for (const tool of bench.tools)
      for (const name of namesOf(tool)) {
        const camel = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
        expect(readArguments(tool, { [camel]: 'v' }).args, `${tool.name} ${camel}`).toEqual({ [name]: 'v' });
      }
  });

  function namesOf(tool: AnyTool): readonly string[] {
    const input = tool.input();
    if (!(input instanceof z.ZodObject)) throw new Error(`${tool.name} takes no object.`);
    return Object.keys(input.shape);
  }
});

describe('a command with its folder under another name', () => {
  const world = allTests(() => HeadlessWorld.make());

  it('runs there and nowhere else', async () => {
    const { workspace, server } = world;
    await mkdir(join(workspace, 'sub'));
    for (const file of ['keep.txt', 'sub/keep.txt']) await writeFile(join(workspace, file), 'x');
    const remove = { command: 'rm keep.txt' };
    server.script(
      [
        call('run_shell_command', { ...remove, where: 'sub' }),
        call('run_shell_command', { ...remove, directory: 'sub' }),
      ],
      [text('Done.')],
    );
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    expect(existsSync(join(workspace, 'keep.txt'))).toBe(true);
    expect(existsSync(join(workspace, 'sub/keep.txt'))).toBe(false);
    expect(JSON.stringify(lastResults(server.requests.at(-1)!))).toContain(
      'where: there is no such argument',
    );
  });
});
