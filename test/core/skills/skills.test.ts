import { expect, test } from 'vitest';
import type { Customization } from '../../../src/extension/core/customizations/files/customization.ts';
import { readSkills } from '../../../src/extension/core/skills/skills.ts';

function skill(text: string, more: Partial<Customization> = {}): Customization {
  return {
    kind: 'skill',
    name: 'notes',
    origin: { kind: 'person' },
    detail: '',
    format: 'skill',
    text,
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
    name: 'Release-notes',
    description: 'How notes are written',
    body: 'Write short.\n',
    folder: '/home/.gemini/skills/notes',
    source: 'person',
    isForModel: true,
    isForUser: true,
  });
});

test.each([
  ['name:', 'notes'],
  ['name: 7', '7'],
  ['name: [a]', 'notes'],
])('%s is called %s', async (line, name) => {
  const { entries } = await readSkills([skill(`---\n${line}\ndescription: Does\n---\n`)]);
  expect([...entries.keys()]).toEqual([name]);
});

test('where its files lie stands in its text', async () => {
  const { entries } = await readSkills([skill('Run ${CLAUDE_SKILL_DIR}/a.mjs and ${CLAUDE_SKILL_DIR}/b.')]);
  const folder = '/home/.gemini/skills/notes';
  expect(entries.get('notes')!.body).toBe(`Run ${folder}/a.mjs and ${folder}/b.`);
});

test('without a name it is called by its folder; one of an extension says whose it is', async () => {
  const text = '---\ndescription: Audits\n---\nLook.';
  const extension = { origin: { kind: 'extension', name: 'security', folder: '/x' } } as const;
  const { entries } = await readSkills([skill(text), skill(text, extension)]);
  expect([...entries.keys()]).toEqual(['notes', 'security:notes']);
});

test('others have their turn while many are read', async () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const many = Array.from({ length: 80 }, (_, index) =>
    skill(`---\nname: s${index}\ndescription: Does ${index}\n---\nDo.`),
  );
  const { entries } = await readSkills(many);
  clearImmediate(next);
  expect(entries.size).toBe(80);
  expect(turns).toBeGreaterThan(40);
});

test('of two with one name the later one counts', async () => {
  const { entries } = await readSkills([
    skill('---\ndescription: Mine\n---\n'),
    skill('---\ndescription: Theirs\n---\n', { origin: { kind: 'workspace' } }),
  ]);
  expect(entries.get('notes')).toMatchObject({ description: 'Theirs', source: 'workspace' });
});

test.each([
  ['a text alone', '# Notes\n\nHow notes are\nwritten.\n\nMore.', 'How notes are written.'],
  ['frontmatter without one', '---\nname: a\n---\n# Only a title\n', 'Only a title'],
  ['one that is no text', '---\ndescription: [a]\n---\nSays what.', 'Says what.'],
  [
    'one with colons',
    '---\ndescription: Writes notes: short ones. Use when: asked\n---\nx',
    'Writes notes: short ones. Use when: asked',
  ],
])('%s is described by what it says', async (_what, text, description) => {
  const { entries, problems } = await readSkills([skill(text)]);
  expect(problems).toEqual([]);
  expect([...entries.values()]).toMatchObject([{ description }]);
});

test('who may use it, and with what, is as its file says', async () => {
  const keys =
    'disable-model-invocation: true\nargument-hint: [file] [line]\nallowed-tools: Bash(git *), Read';
  const { entries, problems } = await readSkills([
    skill(`---\ndescription: Ships: fast\n${keys}\n---\nShip.`),
    skill('---\nname: quiet\ndescription: Hints\nuser-invocable: false\nargument-hint: x\n---\nx'),
  ]);
  expect(problems).toEqual([]);
  expect([...entries.values()]).toMatchObject([
    { isForModel: false, isForUser: true, hint: '[file] [line]' },
    { isForModel: true, isForUser: false, hint: 'x' },
  ]);
});

const empty = 'has no description in its frontmatter and no text. It is ignored.';

test.each([
  ['an empty one', '', empty],
  ['no description and no text', '---\nname: a\n---\n', empty],
  [
    'an open end',
    '---\nname: a\n',
    'has frontmatter that is not closed by a line of three hyphens. It is ignored.',
  ],
  ['a list', '---\n- a\n---\n', 'has frontmatter without keys. It is ignored.'],
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
      /^The skill \S+ has frontmatter that is not valid YAML \(.+\)\. It is ignored\.$/,
    );
});
