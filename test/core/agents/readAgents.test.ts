import { describe, expect, it, test } from 'vitest';
import type { AgentDefinition, LocalAgent } from '../../../src/extension/core/agents/agentDefinition.ts';
import { readAgents, withBuiltIn } from '../../../src/extension/core/agents/readAgents.ts';
import type { Customization } from '../../../src/extension/core/customizations/files/customization.ts';
import type { CustomOrigin } from '../../../src/extension/platform/customizations/customFiles.ts';

const extension: CustomOrigin = { kind: 'extension', name: 'shop', folder: '/home/.gemini/extensions/shop' };

function file(
  text: string,
  origin: CustomOrigin['kind'] = 'workspace',
  path = `/${origin}/agents/tester.md`,
) {
  const from: CustomOrigin = origin === 'extension' ? extension : { kind: origin };
  return {
    kind: 'agent',
    name: 'tester',
    origin: from,
    path,
    detail: '',
    format: 'agent',
    text,
  } satisfies Customization;
}

const head = (lines: string, body = 'You test.') => `---\ndescription: Tests\n${lines}\n---\n${body}`;

async function readOne(text: string) {
  const { entries, problems } = await readAgents([file(text)]);
  return { agent: localOf([...entries.values()][0]), problems };
}

function localOf(agent: AgentDefinition | undefined): LocalAgent | undefined {
  return agent?.remote === undefined ? agent : undefined;
}

test('an agent of one program is read with all it says', async () => {
  const { agent, problems } = await readOne(
    [
      '---',
      'kind: local',
      'name: db-tester',
      'description: |',
      '  Tests the',
      '  data base.',
      'display_name: Data base tester',
      'tools: [read_file, mcp_db_*]',
      'model: gemini-2.5-flash',
      'temperature: 0.3',
      'max_turns: 7',
      'timeout_mins: 2.5',
      '---',
      '',
      'You test data bases.',
      '',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(agent).toMatchObject({
    name: 'db-tester',
    description: 'Tests the data base.',
    prompt: 'You test data bases.',
    tools: { only: ['read_file', 'mcp_db_*'] },
    model: 'gemini-2.5-flash',
    temperature: 0.3,
    maxTurns: 7,
    maxMs: 150_000,
  });
});

test('an agent of another program is read in its own words', async () => {
  const tools = 'Read, Edit, Bash, WebFetch, mcp__git__log, mcp__db, TodoWrite, Task';
  const { agent, problems } = await readOne(
    `---\nname: reviewer\ndescription: Reviews\ntools: ${tools}\ndisallowedTools: [Write]\nmodel: sonnet\ncolor: red\n---\nReview.`,
  );
  expect(problems).toEqual([]);
  expect(agent).toMatchObject({ name: 'reviewer', maxTurns: 30, maxMs: 600_000 });
  expect(agent!.model).toBeUndefined();
  expect([...agent!.tools.only!].sort()).toEqual(
    [
      'read_file',
      'read_many_files',
      'replace',
      'run_shell_command',
      'web_fetch',
      'mcp_git_log',
      'mcp_db_*',
      'write_todos',
    ].sort(),
  );
  expect(agent!.tools.except).toEqual(['write_file']);
});

test('what is left out has its usual value', async () => {
  const { agent, problems } = await readOne(head('tools:\nmodel: inherit'));
  expect(problems).toEqual([]);
  expect(agent).toMatchObject({ name: 'tester', tools: {}, maxTurns: 30, maxMs: 600_000 });
  expect(agent!.model).toBeUndefined();
});

const at = 'The agent /workspace/agents/tester.md';

describe('what cannot be used is said in one sentence', () => {
  it.each([
    [
      'no frontmatter',
      'You test.',
      `${at} needs a description, so that the model knows what to send it out for. It is ignored.`,
    ],
    [
      'an open frontmatter',
      '---\nname: x',
      `${at} has frontmatter that is not closed by a line of three hyphens. It is ignored.`,
    ],
    ['frontmatter that is a list', '---\n- a\n---\nx', `${at} has frontmatter without keys. It is ignored.`],
    [
      'broken YAML',
      '---\nname: [a\n---\nx',
      /^The agent \/workspace\/agents\/tester\.md has frontmatter that is not valid YAML \(.+\). It is ignored\.$/,
    ],
    ['an empty description', '---\ndescription: " "\n---\nx', /needs a description, so that/],
    ['a description that is no text', '---\ndescription: [a]\n---\nx', /needs a description, so that/],
    ['no text', head('', ' \n'), `${at} has no text below its frontmatter. It is ignored.`],
    ['another kind', head('kind: cloud'), `${at} needs \`local\` as \`kind\`. It is ignored.`],
    [
      'a name that is a list',
      head('name: [a]'),
      /needs a name with letters from a to z or digits in it\. It is ignored/,
    ],
    ['half a list of tools', head('colour: a: b\ntools: [Read, Grep'), /is not valid YAML/],
    [
      'a list of tools within a text',
      head('tools: "[Read, Grep"'),
      /needs a list of names as `tools`\. It is ignored/,
    ],
    [
      'tools that are an object',
      head('tools: {read_file: true}'),
      /needs a list of names as `tools`\. It is ignored/,
    ],
    ['tools that are numbers', head('tools: [1]'), /needs a list of names as `tools`\. It is ignored/],
    ['a model that is a list', head('model: [a]'), /needs the name of a model as `model`\. It is ignored/],
    [
      'a temperature in words',
      head('temperature: warm'),
      /needs a number from 0 to 2 as `temperature`\. It is ignored/,
    ],
    ['a temperature too high', head('temperature: 3'), /needs a number from 0 to 2/],
    [
      'half a turn',
      head('max_turns: 1.5'),
      /needs a whole number from 1 to 1000 as `max_turns`\. It is ignored/,
    ],
    ['no turn', head('max_turns: 0'), /needs a whole number from 1/],
    [
      'no time',
      head('timeout_mins: 0'),
      /needs a number of minutes up to 1440 as `timeout_mins`\. It is ignored/,
    ],
    ['time without end', head('timeout_mins: .inf'), /needs a number of minutes/],
    ['an alias', head('tools: *all'), /is not valid YAML/],
  ])('%s', async (_name, text, sentence) => {
    const { agent, problems } = await readOne(text);
    expect(agent).toBeUndefined();
    expect(problems).toHaveLength(1);
    if (typeof sentence === 'string') expect(problems[0]).toBe(sentence);
    else expect(problems[0]).toMatch(sentence);
  });
});

describe('what has no effect is said, and the agent is used', () => {
  it.each([
    [
      'keys that ask for what is not there, but not notes of the author',
      head('mcp_servers: {}\nhooks: {}\nversion: 7\ncategory: design\ncolor: red'),
      `${at}: these keys are ignored: mcp_servers, hooks.`,
    ],
    ['unknown tools', head('tools: Read, Telescope'), `${at}: Folio has no tools named Telescope.`],
    [
      'limits of a tool',
      head('tools: Bash(git diff:*, git log:*)'),
      `${at}: text in brackets after a tool is ignored: the permissions of the session apply.`,
    ],
  ])('%s', async (_name, text, sentence) => {
    const { agent, problems } = await readOne(text);
    expect(agent?.name).toBe('tester');
    expect(problems).toEqual([sentence]);
  });

  it('and a tool with limits is that tool', async () => {
    const { agent } = await readOne(head('tools: Bash(git diff:*, git log:*)'));
    expect(agent!.tools.only).toEqual(['run_shell_command']);
  });
});

describe('what other programs take is taken', () => {
  const talk = `Use this one for rivers. Examples: <example>Context: A ford is gone. user: "How deep?" assistant: 'I'll ask' </example>`;

  it.each([
    ['a description with colons that nobody quoted', `description: ${talk}`, talk],
    [
      'a description over lines that begin at the margin',
      'description: Use this one for rivers.\n\nExamples:\n\n<example>\nContext: A ford\nuser: "How deep?"\nassistant: "I ask"\n</example>',
      'Use this one for rivers. Examples: <example> Context: A ford user: "How deep?" assistant: "I ask" </example>',
    ],
    [
      'marks of line ends that are none',
      'description: Use it when:\\n\\n- a dam breaks\\n- rain',
      'Use it when: - a dam breaks - rain',
    ],
    ['quotes within quotes', `description: 'Reads what isn't there: maps'`, "Reads what isn't there: maps"],
    ['a first letter that means something', 'description: @mentions and: more', '@mentions and: more'],
    ['a key that is there twice', 'description: one\ndescription: two', 'two'],
  ])('%s', async (_what, lines, expected) => {
    const { agent, problems } = await readOne(
      `---\nname: river-guide\n${lines}\ntools:\n  - Read\n  - Bash\nmodel: opus\n---\nYou know rivers.`,
    );
    expect(problems).toEqual([]);
    expect(agent).toMatchObject({ name: 'river-guide', description: expected, prompt: 'You know rivers.' });
    expect(agent!.tools.only).toEqual(['read_file', 'read_many_files', 'run_shell_command']);
  });

  it.each([
    ['River Guide', 'river-guide'],
    ['RiverGuide', 'riverguide'],
    ['../tester', 'tester'],
    ['12', '12'],
    ['"Guide (rivers): deep"', 'guide-rivers-deep'],
    ['河の案内', 'tester'],
    ['x'.repeat(65), 'x'.repeat(64)],
  ])('the name %s as %s', async (name, expected) => {
    const { agent, problems } = await readOne(head(`name: ${name}`));
    expect({ name: agent?.name, problems }).toEqual({ name: expected, problems: [] });
  });

  it('a file in a folder, by its own name', async () => {
    const { entries } = await readAgents([{ ...file(head('color: red')), name: 'water/River guide' }]);
    expect([...entries.keys()]).toEqual(['river-guide']);
  });

  it.each(['opus', 'sonnet[1m]', 'claude-opus-4', 'Inherit', 'default'])(
    '%s for the session’s model',
    async model => {
      const { agent, problems } = await readOne(head(`model: ${model}`));
      expect({ model: agent!.model, problems }).toEqual({ model: undefined, problems: [] });
    },
  );

  it('steps in the other spelling, a byte order mark, and blank lines at the top', async () => {
    const { agent } = await readOne(`\uFEFF\n${head('maxTurns: 4')}`);
    expect(agent).toMatchObject({ description: 'Tests', maxTurns: 4 });
  });
});

describe('names', () => {
  const named = (name: string) => `---\nname: ${name}\ndescription: Does\n---\nDo.`;

  it('of ours stay ours, and the other is called by where it comes from', async () => {
    const { entries, problems } = await readAgents([
      file(named('generalist'), 'extension'),
      file(named('generalist'), 'person'),
      file(named('codebase_investigator'), 'workspace'),
    ]);
    expect([...entries.keys()].sort()).toEqual([
      'person:generalist',
      'shop:generalist',
      'workspace:codebase_investigator',
    ]);
    expect(problems).toContain(
      `${at} is named workspace:codebase_investigator here, because codebase_investigator is one of Folio.`,
    );
    const all = withBuiltIn(entries);
    expect([...all.keys()].slice(0, 2)).toEqual(['codebase_investigator', 'generalist']);
    expect(localOf(all.get('generalist'))!.prompt).not.toBe('Do.');
  });

  it('that two have belong to the workspace, then to the user, then to an extension', async () => {
    const { entries, problems } = await readAgents([
      file(named('tester'), 'extension'),
      file(named('tester'), 'person'),
      file(named('tester'), 'workspace'),
    ]);
    expect([...entries.keys()].sort()).toEqual(['person:tester', 'shop:tester', 'tester']);
    expect(problems).toContain(
      'The agent /person/agents/tester.md is named person:tester here, because tester is the one in /workspace/agents/tester.md.',
    );
  });

  it('that files of one origin share beyond two are said, and the last ones count', async () => {
    const three = ['a', 'b', 'c'].map(name => file(named('tester'), 'workspace', `/${name}.md`));
    const { entries, problems } = await readAgents(three);
    expect([...entries.keys()].sort()).toEqual(['tester', 'workspace:tester']);
    expect(problems).toContain(
      'The agent /a.md is ignored: another agent of the same origin has the name tester.',
    );
  });
});
