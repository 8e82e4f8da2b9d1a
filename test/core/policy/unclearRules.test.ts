/* Rules that are not understood as they are written: they never allow, and never take the place of a deny. */

import { afterEach, expect, test } from 'vitest';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

let world: PolicyWorld | undefined;
afterEach(() => world?.dispose());

async function withFiles(files: Readonly<Record<string, string>>): Promise<PolicyWorld> {
  world = await PolicyWorld.make({ files });
  return world;
}

const mine = (...tables: readonly string[]) =>
  withFiles({ 'home/.folio/policies/mine.toml': tables.map(table => `[[rule]]\n${table}\n`).join('\n') });

const conditions = ['toolAnnotations = { readOnlyHint = true }', 'subagent = "helper"'];

test.each(conditions)('a rule that forbids by what Folio cannot tell asks: %s', async condition => {
  const { edit, run, told } = await actions(
    `toolName = "write_file"\n${condition}\ndecision = "deny"\npriority = 100`,
  );
  expect(await edit('yolo')).toMatchObject({ kind: 'ask', always: [] });
  expect(reasonOf(await edit('yolo'))).toContain(`"${condition.split(' ')[0]}"`);
  expect(await run('yolo')).toMatchObject({ kind: 'allow' });
  expect(told).toEqual([expect.stringMatching(/mine\.toml, line 1: Folio cannot tell/)]);
});

test.each(conditions)(
  'one that allows by it does not count, and nothing is said of it: %s',
  async condition => {
    const { edit, told } = await actions(
      `toolName = "write_file"\n${condition}\ndecision = "allow"\npriority = 100`,
    );
    expect(await edit('default')).toMatchObject({ kind: 'ask' });
    expect(told).toEqual([]);
  },
);

test('one that names no tool asks for what acts, and one of a server for that server', async () => {
  const all = await mine(`${conditions[0]}\ndecision = "deny"\npriority = 1`);
  expect((await all.edit('a.ts', 'yolo')).kind).toBe('ask');
  expect((await all.fetch('https://a.b', 'yolo')).kind).toBe('ask');
  expect((await all.read('a.ts')).kind).toBe('allow');
  await all.dispose();
  const server = await mine(`mcpName = "github"\n${conditions[0]}\ndecision = "deny"\npriority = 1`);
  expect((await server.mcp('github', 'list', 'yolo')).kind).toBe('ask');
  expect((await server.mcp('other', 'list', 'yolo')).kind).toBe('allow');
});

const deny = 'toolName = "write_file"\ndecision = "deny"\npriority = 1';

test.each([
  [
    'depends on what Folio cannot tell',
    `toolName = "*"\n${conditions[0]}\ndecision = "deny"\npriority = 900`,
  ],
  ['has a slip in it', 'toolName = "write_file"\ndecision = "deny"\npriority = 900\npath = "x"'],
])('where another rule denies, one that %s changes nothing', async (_why, table) => {
  const { edit } = await actions(table, deny);
  expect(await edit('default')).toMatchObject({ kind: 'deny' });
  expect(await edit('yolo')).toMatchObject({ kind: 'deny' });
});

test('a file that is no TOML opens nothing that plan mode or another file forbids', async () => {
  const broken = await withFiles({
    'home/.folio/policies/a.toml': '[[rule]]\ntoolName = "write_file\n',
    'home/.folio/policies/b.toml': `[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 1\n`,
  });
  expect((await broken.edit('a.ts', 'plan')).kind).toBe('deny');
  expect((await broken.edit('a.ts', 'yolo')).kind).toBe('ask');
  expect((await broken.fetch('https://a.b')).kind).toBe('deny');
});

async function actions(...tables: readonly string[]) {
  const made = await mine(...tables);
  return {
    edit: (mode: 'default' | 'yolo') => made.edit('a.ts', mode),
    run: (mode: 'default' | 'yolo') => made.run('npm test', mode),
    told: made.told,
  };
}
