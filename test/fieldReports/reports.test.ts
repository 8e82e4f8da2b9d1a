/* What people reported of other agents in areas that no other table of this folder touches, each tried on ours. */

import { chmod, lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import * as chat from '../support/openaiAnswers.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import type { WorldCase } from './report.ts';

const world = eachTest(() => HeadlessWorld.make());
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  env = { HOME: world.home, USERPROFILE: world.home };
  await writeFile(join(world.workspace, 'a.txt'), 'the content of a\n');
});

const results = () => world.server.requests.slice(1).map(request => lastResults(request)[0]);
async function run(prompt = 'go', ...more: readonly string[]) {
  const args = ['--prompt', prompt, '--approval-mode', 'yolo', ...more];
  const { code, out, error } = await world.run(args, { env });
  expect(code, error).toBe(0);
  return { out, error };
}

interface StreamCase extends WorldCase {
  /** Members of `choices[0]` of each chunk. */
  readonly choices: readonly object[];
}

const args = JSON.stringify({ file_path: 'a.txt' });
const part = (more: object) => ({ delta: { tool_calls: [more] } });
const named = { name: 'read_file', arguments: args };
const end = { delta: {}, finish_reason: 'tool_calls' };

const streams: readonly StreamCase[] = [
  {
    title: 'an index that begins at 1, behind a text',
    source: 'report',
    choices: [{ delta: { content: 'Hm' } }, part({ index: 1, id: 'c1', function: named }), end],
  },
  { title: 'no index', source: 'report', choices: [part({ id: 'c2', function: named }), end] },
  { title: 'no id', source: 'report', choices: [part({ index: 0, function: named }), end] },
  {
    title: 'null for an id',
    source: 'report',
    choices: [part({ index: 0, id: null, function: named }), end],
  },
  {
    title: 'an empty id in later pieces',
    source: 'report',
    choices: [
      part({ index: 0, id: 'c3', function: { name: 'read_file', arguments: args.slice(0, 5) } }),
      part({ index: 0, id: '', function: { arguments: args.slice(5) } }),
      end,
    ],
  },
  {
    title: 'null for the first arguments',
    source: 'report',
    choices: [
      part({ index: 0, id: 'c4', function: { name: 'read_file', arguments: null } }),
      part({ index: 0, function: { arguments: args } }),
      end,
    ],
  },
  {
    title: 'the name with each piece',
    source: 'report',
    choices: [
      part({ index: 0, id: 'c5', function: { name: 'read_file', arguments: args.slice(0, 9) } }),
      part({ index: 0, id: 'c5', function: { name: 'read_file', arguments: args.slice(9) } }),
      end,
    ],
  },
  {
    title: 'an object for the arguments',
    source: 'report',
    choices: [
      part({ index: 0, id: 'c6', function: { name: 'read_file', arguments: { file_path: 'a.txt' } } }),
      end,
    ],
  },
  {
    title: 'a stop for the reason to end',
    source: 'report',
    choices: [part({ index: 0, id: 'c7', function: named }), { delta: {}, finish_reason: 'stop' }],
  },
  {
    title: 'null for the delta and for the calls',
    source: 'report',
    choices: [
      { delta: null },
      { delta: { content: null, tool_calls: null } },
      part({ index: 0, id: 'c8', function: named }),
      end,
    ],
  },
  {
    title: 'a call without a type, and one of the older kind of reasoning',
    source: 'report',
    choices: [{ delta: { reasoning: 'Hm' } }, part({ index: 0, id: 'c9', type: '', function: named }), end],
  },
];

describe('a stream of chat completions with a call that has', () => {
  it.each(streams)('$title', async ({ choices }) => {
    const server = await startOpenAiServer();
    const lines = choices.map(
      choice => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`,
    );
    const empty = 'data: {"choices":[],"usage":null}\n\n';
    server.script(chat.tornStream(`: ping\n\n${lines.join('')}${empty}data: [DONE]\n\n`), [
      chat.text('Done.'),
    ]);
    const { code, error } = await runHeadless({
      args: [
        ...['--workspace', world.workspace, '--provider', 'openai', '--base-url', server.baseUrl],
        ...['--model', 'm', '--prompt', 'go'],
      ],
      env: { OPENAI_API_KEY: 'test' },
    });
    await server.dispose();
    expect(code, error).toBe(0);
    expect(server.requests.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('the content of a');
  });
});

interface FileCase extends WorldCase {
  readonly before: string;
  readonly edit: readonly [string, string];
  readonly after: string;
}

const files: readonly FileCase[] = [
  {
    title: 'lines of Windows, asked for in those of Unix',
    source: 'report',
    before: 'a\r\nb\r\nc\r\n',
    edit: ['a\nb', 'a\nx'],
    after: 'a\r\nx\r\nc\r\n',
  },
  {
    title: 'both kinds of line ends',
    source: 'report',
    before: 'a\r\nb\nc\r\nd\n',
    edit: ['c', 'x'],
    after: 'a\r\nb\nx\r\nd\n',
  },
  {
    title: 'a carriage return that is data',
    source: 'report',
    before: 'p 1\rp 2\rdone\nb\n',
    edit: ['b', 'x'],
    after: 'p 1\rp 2\rdone\nx\n',
  },
  { title: 'no line end at the end', source: 'report', before: 'a\nb', edit: ['a', 'x'], after: 'x\nb' },
  {
    title: 'blank lines at the end',
    source: 'report',
    before: 'a\n\n\n',
    edit: ['a', 'x'],
    after: 'x\n\n\n',
  },
  {
    title: 'blanks at the ends of lines',
    source: 'report',
    before: 'a  \nb\t\n',
    edit: ['b', 'x'],
    after: 'a  \nx\t\n',
  },
  {
    title: 'a dollar sign that a replacement would read',
    source: 'report',
    before: 'a\nb\n',
    edit: ['a', "$& $1 $' $$"],
    after: "$& $1 $' $$\nb\n",
  },
  {
    title: 'a form feed and a vertical tab',
    source: 'report',
    before: 'a\f\nb\v\nc\n',
    edit: ['c', 'x'],
    after: 'a\f\nb\v\nx\n',
  },
  {
    title: 'the line separators of Unicode',
    source: 'report',
    before: 'a\u2028b\u0085c\nd\n',
    edit: ['d', 'x'],
    after: 'a\u2028b\u0085c\nx\n',
  },
  {
    title: 'letters that are composed of two',
    source: 'report',
    before: 'Cafe\u0301\nb\n',
    edit: ['b', 'x'],
    after: 'Cafe\u0301\nx\n',
  },
];

describe('a file', () => {
  it('is the same outside of an edit, whatever it holds', async () => {
    for (const [at, { before, edit }] of files.entries()) {
      await writeFile(join(world.workspace, `${at}.txt`), before);
      const [old_string, new_string] = edit;
      world.server.script([
        call('replace', { file_path: `${at}.txt`, instruction: 'i', old_string, new_string }),
      ]);
    }
    world.server.script([text('Done.')]);
    await run();
    const read = await Promise.all(
      files.map(async ({ title }, at) => [title, await readFile(join(world.workspace, `${at}.txt`), 'utf8')]),
    );
    expect(Object.fromEntries(read)).toEqual(
      Object.fromEntries(files.map(({ title, after }) => [title, after])),
    );
  });

  it('keeps its mode and its links, and may be named as people and models name files', async () => {
    await writeFile(join(world.workspace, 'run.sh'), '#!/bin/sh\necho a\n');
    await chmod(join(world.workspace, 'run.sh'), 0o755);
    await writeFile(join(world.workspace, 'target.txt'), 'a\n');
    await symlink('target.txt', join(world.workspace, 'link.txt'));
    const edit = (file_path: string) =>
      call('replace', { file_path, instruction: 'i', old_string: 'a', new_string: 'x' });
    const read = (file_path: string) => call('read_file', { file_path });
    world.server.script(
      [
        call('replace', {
          file_path: 'run.sh',
          instruction: 'i',
          old_string: 'echo a',
          new_string: 'echo b',
        }),
      ],
      [edit('link.txt')],
      [read('./a.txt')],
      [read(join(world.workspace, 'a.txt'))],
      [read(`file://${join(world.workspace, 'a.txt')}`)],
      [read('@a.txt')],
      [read('`a.txt`')],
      [text('Done.')],
    );
    await run();
    expect((await lstat(join(world.workspace, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect((await lstat(join(world.workspace, 'link.txt'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(world.workspace, 'target.txt'), 'utf8')).toBe('x\n');
    const outputs = results()
      .slice(2)
      .map(result => result?.output ?? result?.error);
    expect(
      outputs.map(output => output?.includes('the content of a') || /does not exist/.test(output ?? '')),
    ).toEqual(outputs.map(() => true));
  });
});

interface CommandCase extends WorldCase {
  readonly command: string;
  readonly output: RegExp;
}

const commands: readonly CommandCase[] = [
  {
    title: 'waits for input that nobody gives',
    source: 'report',
    command: 'cat; read -r x; echo "end $?"',
    output: /end 1/,
  },
  {
    title: 'asks whether to continue',
    source: 'report',
    command: 'printf "Continue? "; read -r x || echo none',
    output: /none/,
  },
  {
    title: 'prints bytes that are no text',
    source: 'report',
    command: "printf 'a\\377\\376b\\0c'; echo end",
    output: /binary output/,
  },
  {
    title: 'separates its lines with NUL',
    source: 'report',
    command: "printf '%s\\0' './a b.txt' './c.txt'",
    output: /\.\/a b\.txt\n\.\/c\.txt/,
  },
  {
    title: 'draws a bar of progress',
    source: 'report',
    command: "for i in 1 2 3; do printf '\\rstep %s' $i; done; echo",
    output: /step 3/,
  },
  {
    title: 'colours its output',
    source: 'report',
    command: "printf '\\033[31mred\\033[0m\\n'",
    output: /^(?!.*\u001b)[\s\S]*red/,
  },
  {
    title: 'leaves a program in the background',
    source: 'report',
    command: 'sleep 300 & echo started',
    output: /started/,
  },
  {
    title: 'has a document in its line',
    source: 'report',
    command: 'cat <<EOF\none $HOME_X\nEOF\necho end',
    output: /one \nend/,
  },
  {
    title: 'shows its output in a pager',
    source: 'report',
    command:
      'git init -q g && cd g && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log',
    output: /Author/,
  },
  {
    title: 'opens an editor',
    source: 'report',
    command: 'cd g && git -c user.name=a -c user.email=a@b commit --allow-empty; echo "end $?"',
    output: /end [1-9]/,
  },
  { title: 'ends by a signal', source: 'report', command: 'kill -TERM $$', output: /SIGTERM|143|signal/i },
  {
    title: 'writes only to the error stream',
    source: 'report',
    command: 'echo oh >&2; exit 3',
    output: /3[\s\S]*oh/,
  },
  { title: 'writes nothing', source: 'report', command: 'true', output: /./ },
  {
    title: 'prints a very long line',
    source: 'report',
    command: "head -c 3000000 /dev/zero | tr '\\0' x; echo end",
    output: /end/,
  },
  {
    title: 'changes its folder and its variables',
    source: 'report',
    command: 'cd / && export A=1; pwd; echo "$A"',
    output: /\/\n1/,
  },
];

describe.skipIf(process.platform === 'win32')('a command', () => {
  it('ends and is read, whatever it does', async () => {
    for (const { command } of commands) world.server.script([call('run_shell_command', { command })]);
    world.server.script([text('Done.')]);
    await run();
    const found = results().map(result => result?.output ?? result?.error ?? '');
    for (const [at, { title, output }] of commands.entries()) expect(found[at], title).toMatch(output);
  });
});

interface HookCase extends WorldCase {
  readonly command: string;
  readonly isWritten: boolean;
}

const block = '{"decision":"block","reason":"no"}';
const hooks: readonly HookCase[] = [
  { title: 'reads nothing of what it is given', source: 'report', command: 'exit 0', isWritten: true },
  {
    title: 'closes its input at once',
    source: 'report',
    command: 'exec <&-; sleep 0.1; exit 0',
    isWritten: true,
  },
  {
    title: 'prints more than it was asked for',
    source: 'report',
    command: 'head -c 3000000 /dev/zero | tr "\\0" x',
    isWritten: true,
  },
  {
    title: 'prints lines of a profile before its answer',
    source: 'report',
    command: `echo 'Welcome back'; echo '${block}'`,
    isWritten: false,
  },
  {
    title: 'prints a byte-order mark before its answer',
    source: 'report',
    command: `printf '\\357\\273\\277'; echo '${block}'`,
    isWritten: false,
  },
  {
    title: 'prints its answer over several lines',
    source: 'report',
    command: `echo '{'; echo '"decision": "block",'; echo '"reason": "no"}'`,
    isWritten: false,
  },
  {
    title: 'prints its answer to the error stream',
    source: 'report',
    command: `echo '${block}' >&2; exit 2`,
    isWritten: false,
  },
  {
    title: 'leaves a program running that holds its output',
    source: 'report',
    command: `sleep 300 & echo '${block}'`,
    isWritten: false,
  },
];

describe.skipIf(process.platform === 'win32')('a hook', () => {
  it.each(hooks)('that $title', async ({ command, isWritten }) => {
    const settings = {
      hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command }] }] },
    };
    await writeFile(join(world.home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const content = 'x'.repeat(200_000);
    world.server.script([call('write_file', { file_path: 'b.txt', content })], [text('Done.')]);
    await run();
    const written = await readFile(join(world.workspace, 'b.txt'), 'utf8').catch(() => undefined);
    expect(written?.length).toBe(isWritten ? content.length : undefined);
  });
});
