import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
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
  let world: HeadlessWorld;
  beforeAll(async () => {
    world = await HeadlessWorld.make();
    await writeFile(join(world.workspace, 'a.txt'), `x${'🙂'.repeat(60_000)}`);
    await writeFile(join(world.workspace, 'b.txt'), `xx${'🙂'.repeat(60_000)}`);
  });
  afterAll(() => world.dispose());

  // The server refuses a request with half of one, as the services do.
  it.each(cases)('are sent whole: $title', async ({ tool, args }) => {
    world.server.script([text('half \ud83d of one'), call(tool, args)], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'Look at @a.txt', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    expect(world.server.requests.at(-1)?.fault).toBeUndefined();
  });
});
