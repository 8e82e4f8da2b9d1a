import { expect, test } from 'vitest';
import type { Customization } from '../../../src/extension/core/customizations/customization.ts';
import { readSkills } from '../../../src/extension/core/skills/skills.ts';

function skill(text: string, more: Partial<Customization> = {}): Customization {
  return {
    ...{ kind: 'skill', name: 'notes', origin: { kind: 'person' }, detail: '', format: 'skill', text },
    path: '/home/.gemini/skills/notes/SKILL.md',
    ...more,
  };
}

test('a skill is known by its name and description, and keeps its text', async () => {
  const text =
    '---\r\nname: Release notes\r\ndescription: >\r\n  How notes\r\n  are written\r\n---\r\n\r\nWrite short.\r\n';
  const { entries, problems } = await readSkills([skill(text)]);
  expect(problems).toEqual([]);
  expect(entries.get('Release-notes')).toEqual({
    ...{ name: 'Release-notes', description: 'How notes are written', body: 'Write short.\n' },
    ...{ folder: '/home/.gemini/skills/notes', source: 'person' },
  });
});

test('without a name it is called by its folder; one of an extension says whose it is', async () => {
  const text = '---\ndescription: Audits\n---\nLook.';
  const extension = { origin: { kind: 'extension', name: 'security', folder: '/x' } } as const;
  const { entries } = await readSkills([skill(text), skill(text, extension)]);
  expect([...entries.keys()]).toEqual(['notes', 'security:notes']);
});

test('of two with one name the later one counts', async () => {
  const { entries } = await readSkills([
    skill('---\ndescription: Mine\n---\n'),
    skill('---\ndescription: Theirs\n---\n', { origin: { kind: 'workspace' } }),
  ]);
  expect(entries.get('notes')).toMatchObject({ description: 'Theirs', source: 'workspace' });
});

test.each([
  [
    'no frontmatter',
    'Write short.',
    'needs a description in its frontmatter, so that the model knows when to use it.',
  ],
  ['an empty one', '', 'needs a description in its frontmatter, so that the model knows when to use it.'],
  [
    'no description',
    '---\nname: a\n---\n',
    'needs a description in its frontmatter, so that the model knows when to use it.',
  ],
  [
    'a description that is no text',
    '---\ndescription: [a]\n---\n',
    'needs a description in its frontmatter, so that the model knows when to use it.',
  ],
  [
    'an open end',
    '---\nname: a\n',
    'has frontmatter that is not closed by a line of three hyphens, so it is not used.',
  ],
  ['a list', '---\n- a\n---\n', 'has frontmatter that names no keys, so it is not used.'],
])('%s is one sentence', async (_what, text, sentence) => {
  const { entries, problems } = await readSkills([skill(text)]);
  expect(entries.size).toBe(0);
  expect(problems).toEqual([`The skill /home/.gemini/skills/notes/SKILL.md ${sentence}`]);
});

test('broken YAML says where, and many aliases do no harm', async () => {
  const bomb = `---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\ndescription: x\n---\n`;
  const { entries, problems } = await readSkills([skill('---\nname: "a\n---\n'), skill(bomb)]);
  expect(entries.size).toBe(0);
  expect(problems).toHaveLength(2);
  for (const problem of problems)
    expect(problem).toMatch(
      /^The skill \S+ has frontmatter that is not valid YAML \(.+\), so it is not used\.$/,
    );
});
