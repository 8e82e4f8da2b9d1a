/* `/agents create` and `/skills create`: what they write is read by the parsers that read what people wrote. */

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { FormField } from '../../../src/extension/core/commands/commands.ts';
import { quoteWord, splitWords } from '../../../src/extension/core/commands/template/words.ts';
import { runCommand, tableWith } from '../../support/commandBench.ts';
import { eachTest } from '../../support/eachTest.ts';
import { ExtensionWorld } from '../../support/extensionWorld.ts';

const world = eachTest(() => ExtensionWorld.make());
let asked: readonly FormField[];
let answers: ReadonlyMap<string, string> | 'left' | 'nobody';
let trusted: boolean;
beforeEach(async () => {
  asked = [];
  answers = 'nobody';
  trusted = true;
});

const personal = (...path: readonly string[]) => join(world.root, 'home', '.gemini', ...path);
const ofWorkspace = (...path: readonly string[]) => join(world.root, 'work', '.gemini', ...path);

async function run(command: string): Promise<readonly unknown[]> {
  const did = await runCommand(command, tableWith(), {
    place: () => ({ home: personal(), extra: [], trusted, folders: world.folders, names: [] }),
    list: async () => ['read_file', 'grep_search'].map(name => ({ name, description: '' })),
    fillForm: async (_title, fields) => {
      asked = fields;
      return answers;
    },
  });
  await world.additions.refresh();
  return did;
}

test.each([
  'Finds where a thing is used: callers, tests "and" docs',
  "It's 7",
  '# no heading --- [not, a list] {nor: this}',
  'Zeile\nzwei',
  '漢字 and “quotes” \\ back',
])('a subagent for “%s” is one that can be sent out', async description => {
  const path = personal('agents', 'seeker.md');
  const said = await run(
    `/agents create seeker --description ${quoteWord(description)} --tools read_file,grep_search`,
  );
  expect(said).toEqual([`open ${path}`, `The subagent seeker is created. Its file is ${path}.`]);
  const agent = world.additions.agents.entries.get('seeker');
  expect(agent).toMatchObject({
    description: description.replace(/\s+/g, ' '),
    tools: { only: ['read_file', 'grep_search'] },
  });
  expect(agent).not.toMatchObject({ prompt: '' });
  expect(world.additions.problems).toEqual([]);
});

test('a skill is one that the model can load', async () => {
  await run('/skills create tide-tables When tides matter: harbours, bridges');
  const path = personal('skills', 'tide-tables', 'SKILL.md');
  expect(await readFile(path, 'utf8')).toContain('name: "tide-tables"');
  expect(world.additions.skills.entries.get('tide-tables')).toMatchObject({
    description: 'When tides matter: harbours, bridges',
    isForModel: true,
  });
  expect(world.additions.problems).toEqual([]);
});

test('a name that YAML takes for a number stays a name', async () => {
  await run('/skills create 007 For agents');
  await run('/agents create 42 For answers');
  expect([...world.additions.skills.entries.keys()]).toEqual(['007']);
  expect([...world.additions.agents.entries.keys()]).toEqual(['42']);
});

test('in a window what is missing is asked for, and who leaves has written nothing', async () => {
  answers = new Map([
    ['name', 'seeker'],
    ['description', 'Seeks'],
    ['tools', 'read_file'],
    ['isForWorkspace', 'For this workspace'],
  ]);
  expect(await run('/agents create')).toEqual([
    `open ${ofWorkspace('agents', 'seeker.md')}`,
    `The subagent seeker is created. It becomes active once you allow it for this workspace. Its file is ${ofWorkspace('agents', 'seeker.md')}.`,
  ]);
  expect(asked.map(({ key }) => key)).toEqual(['name', 'description', 'tools', 'isForWorkspace']);
  const [name, description, tools] = asked;
  expect(await name?.findFault?.('Sea Eagle')).toContain('is not a valid name');
  expect(await description?.findFault?.('')).toContain('Describe what it is for');
  expect(await tools?.findFault?.('read_file, fly')).toContain('There is no tool fly.');
  expect(await tools?.findFault?.('')).toBeUndefined();
  answers = new Map([['description', 'Swims']]);
  await run('/skills create swim --workspace');
  expect(asked.map(({ key }) => key)).toEqual(['description']);
  expect(await readFile(ofWorkspace('skills', 'swim', 'SKILL.md'), 'utf8')).toContain('Swims');
  answers = 'left';
  expect(await run('/skills create')).toEqual(['Nothing was written.']);
});

test('without a window a name alone is not enough', async () => {
  expect(await run('/agents create seeker')).toEqual([
    'Add a name and a description: /agents create NAME --description "TEXT".',
  ]);
});

test('what stands there already stays as it is', async () => {
  const path = personal('agents', 'seeker.md');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'mine');
  expect(await run('/agents create seeker Seeks')).toEqual([
    `Nothing was written: ${path} already exists. Choose another name.`,
  ]);
  expect(await readFile(path, 'utf8')).toBe('mine');
});

test.each([
  ['/agents create ../evil Seeks', '“../evil” is not a valid name'],
  ['/skills create a/b Seeks', '“a/b” is not a valid name'],
  ['/skills create .. Seeks', '“..” is not a valid name'],
  ['/agents create Seeker Seeks', '“Seeker” is not a valid name'],
  ['/agents create generalist Seeks', 'Folio has a subagent generalist already'],
  ['/agents create seeker Seeks --tools read_file,reed', 'There is no tool reed.'],
  ['/skills create swim Swims --tools read_file', 'There is no option --tools'],
  ['/agents create seeker --description', '--description needs a value'],
])('%s is refused', async (command, sentence) => {
  const said = await run(command);
  expect(said).toEqual([expect.stringContaining(sentence)]);
});

test('a restricted workspace gets nothing, nor one that leads elsewhere by a link', async () => {
  trusted = false;
  expect(await run('/agents create seeker Seeks --workspace')).toEqual([
    'The workspace is restricted, so nothing is written. Trust it first, or leave out --workspace.',
  ]);
  trusted = true;
  await mkdir(join(world.root, 'outside'));
  await symlink(join(world.root, 'outside'), ofWorkspace());
  expect(await run('/agents create seeker Seeks --workspace')).toEqual([
    expect.stringContaining('Nothing was written: a link leads from'),
  ]);
  world.folders = [];
  expect(await run('/agents create seeker Seeks --workspace')).toEqual([
    'No folder is open: leave --workspace out, or open the project first.',
  ]);
});

test.each(['', 'a b', 'C:\\Users\\me\\', '"', '\\"', "it's", '$HOME `x` ü'])(
  'the word %j comes back as it was',
  text => {
    expect(splitWords(`before ${quoteWord(text)} after`)).toEqual(['before', text, 'after']);
  },
);
