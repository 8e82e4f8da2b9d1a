import { describe, expect, test } from 'vitest';
import { readCustomCommands } from '../../../src/extension/core/commands/custom/readCustomCommands.ts';
import type { Customization } from '../../../src/extension/core/customizations/files/customization.ts';
import type { CustomOrigin } from '../../../src/extension/platform/customizations/customFiles.ts';

function toml(text: string, name = 'x'): Customization {
  return item(`${name}.toml`, 'toml', text, name);
}

function markdown(text: string, name = 'x'): Customization {
  return item(`${name}.md`, 'markdown', text, name);
}

function item(
  path: string,
  format: 'toml' | 'markdown',
  text: string,
  name: string,
  origin: CustomOrigin = { kind: 'person' },
): Customization {
  return { kind: 'command', name, origin, path: `/home/${path}`, detail: '', format, text };
}

async function readOne(command: Customization) {
  const { entries, problems } = await readCustomCommands([command]);
  return { command: [...entries.values()][0]!, problems };
}

describe('a command of another program', () => {
  test('keeps hints and descriptions that nobody quoted', async () => {
    const { command, problems } = await readOne(
      markdown('---\ndescription: Ships: fast, and "well"\nargument-hint: [place] [--now]\n---\nShip $1.'),
    );
    expect(problems).toEqual([]);
    expect(command).toMatchObject({ description: 'Ships: fast, and "well"', hint: '[place] [--now]' });
  });
});

describe('the name of a command', () => {
  test.for([
    ['commit', 'commit'],
    ['git/commit', 'git:commit'],
    ['a/b/c', 'a:b:c'],
    ['with space', 'with_space'],
    ['wéird&name', 'w_ird_name'],
    ['v1.2-x_y', 'v1.2-x_y'],
    ['a:b', 'a_b'],
    ['日本', '__'],
    [`${'x'.repeat(60)}/${'y'.repeat(50)}`, `${'x'.repeat(47)}...:${'y'.repeat(50)}`],
  ] as const)('%s is called %s', async ([path, name]) => {
    expect((await readOne(toml('prompt = "p"', path))).command.name).toBe(name);
  });
});

describe('a TOML command', () => {
  test('has a prompt and a description on one line of at most a hundred letters', async () => {
    const { command, problems } = await readOne(
      toml(`description = """Writes\r\n a ${'long '.repeat(40)}text"""\r\nprompt = "Write {{args}}."`),
    );
    expect(problems).toEqual([]);
    expect(command.description).toMatch(/^Writes a long .+…$/);
    expect(command.description.length).toBe(100);
    expect(command.body).toMatchObject({ kind: 'template', notes: [] });
  });

  test('is described by its name when it does not describe itself', async () => {
    expect((await readOne(toml('prompt = "p"'))).command.description).toBe('Your command x');
  });

  test('hides nothing in its description', async () => {
    const { command } = await readOne(toml('description = "a\u202eb\u200b"\nprompt = "p"'));
    expect(command.description).toBe('a b');
  });

  test.for([
    ['prompt = ', /^The command \/home\/x\.toml is not valid TOML \(.+\). It is ignored\.$/],
    ['= "x"', /is not valid TOML/],
    ['prompt = "a"\nprompt = "b"', /is not valid TOML/],
    ['', /has no prompt: "prompt" must be a string. It is ignored\.$/],
    ['description = "x"', /has no prompt/],
    ['prompt = 1', /has no prompt: "prompt" must be a string/],
    ['prompt = ["a"]', /has no prompt: "prompt" must be a string/],
    ['prompt = "  \\n"', /has no prompt/],
    ['prompt = "p"\ndescription = 1', /has a description that is not a string/],
    ['prompt = "!{x"', /has a !\{ that is not closed \(line 1 of its prompt\)/],
    ['prompt = "a @{x"', /has a @\{ that is not closed/],
  ] as const)('with bad input gives one sentence: %j', async ([text, sentence]) => {
    const { command, problems } = await readOne(toml(text));
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(command.body).toEqual({ kind: 'broken', sentence: problems[0] });
    expect(problems[0]!.split('\n')).toHaveLength(1);
  });
});

describe('a Markdown command', () => {
  test('says in its frontmatter what it is', async () => {
    const { command, problems } = await readOne(
      markdown(
        '---\ndescription: Fix an issue\nargument-hint: [number, priority]\nallowed-tools: Bash(git:*)\nmodel: fast-1\n---\nFix $1.',
      ),
    );
    expect(problems).toEqual([]);
    expect(command).toMatchObject({
      description: 'Fix an issue',
      hint: '[number, priority]',
      body: {
        model: 'fast-1',
        notes: ['The allowed-tools of /x are ignored: your own permissions apply.'],
      },
    });
  });

  test('needs no frontmatter, and is described by its first line', async () => {
    expect((await readOne(markdown('# Fix it\n\nNow.'))).command.description).toBe('Fix it');
    expect((await readOne(markdown('---\nmodel: x\n---\n\n- Do **this**'))).command.description).toBe(
      'Do **this**',
    );
  });

  test('with keys of other kinds is used without them', async () => {
    const { command, problems } = await readOne(
      markdown('---\ndescription: [a]\nargument-hint: 3\nmodel: {a: b}\n---\nText'),
    );
    expect(problems).toEqual([]);
    expect(command).toMatchObject({ description: 'Text', body: { kind: 'template' } });
    expect(command).toMatchObject({ hint: undefined, body: { model: undefined } });
  });

  test.for([
    ['---\na: b', /has frontmatter that is not closed by a line of three hyphens. It is ignored\.$/],
    ['---\na: [b\n---\nText', /has frontmatter that is not valid YAML/],
    ['---\n- a\n---\nText', /has frontmatter without keys/],
    ['---\na: b\n---\n  \n', /has no text/],
    ['', /has no text/],
    ['Run !`x', /has a !` that is not closed \(line 1 of its text\)/],
  ] as const)('with bad input gives one sentence: %j', async ([text, sentence]) => {
    const { command, problems } = await readOne(markdown(text));
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(command.body).toMatchObject({ kind: 'broken' });
  });
});

test('of two dialects of one source with one name the later one counts, and of two sources both', async () => {
  const workspace: CustomOrigin = { kind: 'workspace' };
  const { entries } = await readCustomCommands([
    markdown('From Markdown'),
    toml('prompt = "From TOML"'),
    item('w.toml', 'toml', 'prompt = "Of the workspace"', 'x', workspace),
  ]);
  const paths = [...entries.values()].map(({ path, origin }) => [path, origin.kind]);
  expect(paths).toEqual([
    ['/home/x.toml', 'person'],
    ['/home/w.toml', 'workspace'],
  ]);
});
