/* Rules that are not understood as they are written: they never allow, and never take the place of a deny. */

import { afterEach, expect, test } from 'vitest';
import { PolicyWorld } from '../../support/policyWorld.ts';

let world: PolicyWorld | undefined;
afterEach(() => world?.dispose());

async function withFiles(files: Readonly<Record<string, string>>): Promise<PolicyWorld> {
  world = await PolicyWorld.make({ files });
  return world;
}

const mine = (...tables: readonly string[]) =>
  withFiles({ 'home/.folio/policies/mine.toml': tables.map(table => `[[rule]]\n${table}\n`).join('\n') });

const deny = 'toolName = "write_file"\ndecision = "deny"\npriority = 1';

test.each([
  ['has a condition of a wrong kind', 'toolAnnotations = { readOnlyHint = [1] }'],
  ['has a slip in it', 'path = "x"'],
])('where another rule denies, one that %s changes nothing', async (_why, line) => {
  const { edit } = await actions(`toolName = "write_file"\ndecision = "deny"\npriority = 900\n${line}`, deny);
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
    reported: made.reported,
  };
}
