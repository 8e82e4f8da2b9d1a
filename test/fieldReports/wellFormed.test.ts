import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutMiddle, headOf, oneLine, tailOf } from '../../src/extension/base/text.ts';
import { callTitleLimit, cardLine } from '../../src/extension/core/calls/describeCall.ts';
import { addBlock } from '../../src/extension/mcp/content/contentParts.ts';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { fc } from '../support/properties.ts';
import { toolBench } from '../support/toolBench.ts';
import { useTool } from '../support/useTool.ts';
import type { WorldCase } from './report.ts';

interface CallCase extends WorldCase {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const cases: readonly CallCase[] = [
  { title: 'a line that is read', source: 'report', tool: 'read_file', args: { file_path: 'a.txt' } },
  {
    title: 'several files',
    source: 'report',
    tool: 'read_many_files',
    args: { include: ['a.txt', 'b.txt'] },
  },
  { title: 'a line that is found', source: 'report', tool: 'grep_search', args: { pattern: 'x' } },
  {
    title: 'what a command prints',
    source: 'report',
    tool: 'run_shell_command',
    args: { command: 'cat a.txt b.txt a.txt' },
  },
  { title: 'a call of the model itself', source: 'trial', tool: 'glob', args: { pattern: 'x\ud83d' } },
  { title: 'a key of a call', source: 'trial', tool: 'glob', args: { pattern: 'x', '\ude42': 1 } },
];

describe('characters of two units', () => {
  const world = allTests(() => HeadlessWorld.make());
  beforeAll(async () => {
    await writeFile(join(world.workspace, 'a.txt'), `x${'🙂'.repeat(60_000)}`);
    await writeFile(join(world.workspace, 'b.txt'), `xx${'🙂'.repeat(60_000)}`);
  });

  // The server refuses a request with half of one, as the services do.
  it.each(cases)('are sent whole: $title', async ({ tool, args }) => {
    world.server.script([text('half \ud83d of one'), call(tool, args)], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'Look at @a.txt', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    expect(world.server.requests.at(-1)?.fault).toBeUndefined();
  });
});

describe('what a tool says', () => {
  const world = allTests(() => PolicyWorld.make());
  const bench = allTests(() => toolBench(world));

  /** With the model's text go what the card says and everything else that is kept of a call. */
  async function saidBy(name: string, args: object): Promise<readonly string[]> {
    const tool = bench.tools.find(each => each.name === name)!;
    const parsed: unknown = tool.input().parse(args);
    const result = await useTool(tool, args);
    return textsIn([result, cardLine(tool.title(parsed), callTitleLimit)]);
  }

  // Each place of a cut falls before or behind a whole character, or within it, by what stands before.
  it.each([0, 1, 2, 3])('never holds half of a character, with %i letters before', async count => {
    const odd = `${'x'.repeat(count)}${'🙂'.repeat(60_000)}`;
    const short = `${'y'.repeat(count)}${'🙂'.repeat(1_300)}`;
    const file = `long${count}.txt`;
    const notebook = `n${count}.ipynb`;
    const output = { output_type: 'stream', name: 'stdout', text: [odd] };
    const cell = {
      cell_type: 'code',
      id: 'c',
      source: [odd],
      metadata: {},
      execution_count: 1,
      outputs: [output],
    };
    const cells = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await writeFile(join(world.workspace, file), `${odd}\n${short}\n`);
    await writeFile(join(world.workspace, notebook), JSON.stringify(cells));
    const said = await Promise.all([
      saidBy('read_file', { file_path: file }),
      saidBy('read_file', { file_path: notebook }),
      saidBy('read_many_files', { include: [file, notebook] }),
      saidBy('grep_search', { pattern: `^[xy]*🙂`, include_pattern: file }),
      saidBy('run_shell_command', { command: `cat ${file} ${file}`, description: short }),
      saidBy('glob', { pattern: short }),
      saidBy('list_directory', { dir_path: '.' }),
    ]);
    expect(said.flat().filter(isBroken)).toEqual([]);
    expect(said.flat().some(each => each.includes('🙂'))).toBe(true);
  });

  it('never holds half of a character of a server', () => {
    for (const count of [0, 1, 2, 3]) {
      const odd = `${'x'.repeat(count)}${'🙂'.repeat(60_000)}`;
      const parts = { texts: [], blobs: [], others: [] };
      addBlock(parts, { type: 'text', text: odd });
      addBlock(parts, { type: 'resource', resource: { uri: `a://${odd}`, text: odd } });
      addBlock(parts, { type: odd });
      expect(textsIn(parts).filter(isBroken)).toEqual([]);
    }
  });

  it('is cut at any place to whole characters', () => {
    const texts = fc.array(fc.constantFrom('a', '🙂', 'é', '\u{10ffff}', '\n'), { maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.nat(60), (characters, limit) => {
        const whole = characters.join('');
        const cut = [
          headOf(whole, limit),
          tailOf(whole, limit),
          cutMiddle(whole, limit),
          oneLine(whole, limit),
        ];
        expect(cut.filter(isBroken)).toEqual([]);
        expect(isBroken(cardLine(whole, limit))).toBe(false);
      }),
    );
  });
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
