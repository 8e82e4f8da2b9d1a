import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticReader } from '../../../src/extension/platform/diagnostics.ts';
import { noDiagnostics } from '../../support/absentPorts.ts';
import { makeDiskWorld } from '../../support/diskWorld.ts';

const problem: Diagnostic = { severity: 'error', line: 3, message: 'It is wrong.' };

async function editWith(known: Known): Promise<string> {
  await using world = await openWorld(known);
  await world.turn('go', ['write_file', { file_path: 'a.txt', content: 'text\n' }]);
  expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('text\n');
  const parts = world.model.requests.at(-1)!.messages.flatMap(message => message.parts);
  return parts.map(part => (part.kind === 'result' ? part.text : '')).join('');
}

type Known = Pick<DiagnosticReader, 'read' | 'settle'>;

async function openWorld(known: Known) {
  const world = await makeDiskWorld(undefined, { diagnostics: { ...noDiagnostics, ...known } });
  return { ...world, [Symbol.asyncDispose]: () => world.dispose() };
}

test('problems that are there after an edit and were not before are told', async () => {
  const reported = await editWith({ read: async () => [], settle: async () => [problem] });
  expect(reported).toContain('The edit brought 1 new problem:\nline 3: error: It is wrong.');
});

test('of many problems the first are told, and how many there are', async () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ ...problem, message: `Wrong ${index}.` }));
  const reported = await editWith({ read: async () => [], settle: async () => many });
  expect(reported).toContain('The edit brought 25 new problems:\nline 3: error: Wrong 0.');
  expect(reported).toMatch(/Wrong 19\.\n… and 5 more/);
});

test('problems that it brought to other files are told with their files, and old ones stay old when they move', async () => {
  const other = { ...problem, path: 'lib/b.ts' };
  const reported = await editWith({
    read: async () => [problem, { ...other, message: 'Old.' }],
    settle: async () => [
      { ...problem, line: 9 },
      { ...other, message: 'Old.', line: 7 },
      other,
      { severity: 'warning', path: 'c.ts', message: 'Unused.' },
    ],
  });
  expect(reported).toContain(
    'The edit brought 2 new problems:\nlib/b.ts, line 3: error: It is wrong.\nc.ts: warning: Unused.',
  );
});

test('of problems that read alike as many are new as there are more, first those at a new place', async () => {
  const at = (line: number) => ({ ...problem, line });
  const reported = await editWith({
    read: async () => [at(3), at(8)],
    settle: async () => [at(3), at(5), at(10)],
  });
  expect(reported).toContain('The edit brought 1 new problem:\nline 10: error: It is wrong.');
  const fewer = await editWith({ read: async () => [at(3), at(8)], settle: async () => [at(5), at(9)] });
  expect(fewer).not.toContain('new problem');
});

test('where the problems before the edit cannot be known, the edit stands and none is called new', async () => {
  const unknown = async () => {
    throw new Error('The disk is gone');
  };
  expect(await editWith({ read: unknown, settle: async () => [problem] })).not.toContain('new problem');
  expect(await editWith({ read: async () => [], settle: unknown })).not.toContain('new problem');
});
