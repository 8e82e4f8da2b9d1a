import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { expectSymbols, languageSample } from '../support/languagesContract.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { findTypeScript, LspWorld } from './support/lspWorld.ts';

let world: LspWorld | undefined;

afterEach(async () => {
  await world?.dispose();
  world = undefined;
});

async function open(files: Readonly<Record<string, string>>, names?: readonly string[]): Promise<LspWorld> {
  world = await LspWorld.make(await findTypeScript(), files, names);
  await world.languages.settle();
  expect(world.languages.isAvailable).toBe(true);
  return world;
}

test('the server of TypeScript 7 keeps what the language servers of an editor keep', async () => {
  const { languages, folder } = await open(languageSample);
  await expectSymbols(languages, folder);
});

test('a missing import is offered as a fix', async () => {
  const { languages, path, signal } = await open({
    ...languageSample,
    'third.ts': 'export const sum = computeSum(1, 2);\n',
  }).then(made => ({ ...made, path: made.path('third.ts'), languages: made.languages, signal: made.signal }));
  const fixes = await languages.offer({ path, first: 1, last: 1 }, signal);
  expect(fixes.map(({ title }) => title)).toContain('Add import from "./sums"');
});

test('the type of a value and what implements an interface are found', async () => {
  const { languages, path, signal } = await open({
    'tsconfig.json': '{}',
    'shapes.ts':
      'export interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  area = () => 1;\n}\nexport class Circle implements Shape {\n  area = () => 3;\n}\nexport const first: Shape = new Square();\n',
  }).then(made => ({ path: made.path('shapes.ts'), languages: made.languages, signal: made.signal }));
  const symbols = await languages.outline(path, signal);
  const lines = async (name: string, relation: 'type_definition' | 'implementations') => {
    const { at } = symbols.find(each => each.name === name)!;
    return (await languages.follow(at, relation, signal)).map(({ first }) => first).toSorted();
  };
  expect(await lines('first', 'type_definition')).toEqual([1]);
  expect(await lines('Shape', 'implementations')).toEqual([4, 7]);
});

test('answers are about the files as they stand, open or not, written or removed', async () => {
  const { languages, signal } = await open(languageSample);
  const made = world!;
  const users = async () => {
    const symbols = await languages.outline(made.path('sums.ts'), signal);
    const { at } = symbols.find(({ name }) => name === 'computeSum')!;
    const places = await languages.follow(at, 'references', signal);
    return places.map(({ path, first }) => `${path.slice(made.folder.length + 1)}:${first}`).sort();
  };
  expect(await users()).toEqual(['main.ts:1', 'main.ts:4', 'sums.ts:1', 'sums.ts:7']);

  await made.write(
    'later.ts',
    "import { computeSum } from './sums';\nexport const five = computeSum(2, 3);\n",
  );
  expect(await users()).toEqual([
    'later.ts:1',
    'later.ts:2',
    'main.ts:1',
    'main.ts:4',
    'sums.ts:1',
    'sums.ts:7',
  ]);
  await made.write('sums.ts', `// A line more.\n${languageSample['sums.ts']}`);
  await rm(made.path('later.ts'));
  expect(await users()).toEqual(['main.ts:1', 'main.ts:4', 'sums.ts:2', 'sums.ts:8']);
  await rename(made.path('main.ts'), made.path('moved.ts'));
  expect(await users()).toEqual(['moved.ts:1', 'moved.ts:4', 'sums.ts:2', 'sums.ts:8']);
});

test('after an edit the problems of other files are known, too, and none of before it', async () => {
  const made = await open(languageSample);
  expect(await made.diagnostics.before(made.path('sums.ts'), made.signal)).toEqual([]);
  await made.write('sums.ts', languageSample['sums.ts'].replace('first: number', 'first: string'));
  const problems = await made.problems('sums.ts');
  expect(problems).toHaveLength(3);
  expect(problems!.filter(each => each.startsWith('main.ts:4 error'))).toHaveLength(1);
  await made.write('sums.ts', languageSample['sums.ts']);
  expect(await made.problems('sums.ts')).toEqual([]);
  expect(made.diagnostics.list()).toEqual([]);
});

test('never in 100 edits are problems told that belong to an older text', async () => {
  const made = await open(languageSample);
  let stale = 0;
  for (let edit = 0; edit < 100; edit++) {
    await made.write(
      'main.ts',
      edit % 2 === 0 ? `export const wrong${edit}: string = ${edit};\n` : 'export {};\n',
    );
    const problems = (await made.problems('main.ts')) ?? ['none'];
    const wanted = edit % 2 === 0 ? 1 : 0;
    if (problems.length !== wanted) stale++;
  }
  expect(stale).toBe(0);
});

test('names with blanks, signs and letters of other scripts are files like others', async () => {
  const odd = 'a b/ü#%41?&[1].ts';
  const { languages, signal } = await open({
    [odd]: 'export function far(): number {\n  return 1;\n}\n',
    'user.ts': "import { far } from './a b/ü#%41?&[1]';\nfar();\n",
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
  });
  const path = world!.path(odd);
  const [symbol] = await languages.outline(path, signal);
  const places = await languages.follow(symbol!.at, 'references', signal);
  expect(places.map(place => place.path).sort()).toEqual(
    [path, world!.path('user.ts'), world!.path('user.ts')].sort(),
  );
});

test('columns are counted in UTF-16, line breaks of Windows are one, and letters stay whole', async () => {
  const line = "export const emoji = '👩‍🚀𝒳'; export const after = emoji;\r\nafter;\r\n";
  const { languages, signal } = await open({ 'odd.ts': line });
  const path = world!.path('odd.ts');
  const after = (await languages.outline(path, signal)).find(({ name }) => name === 'after')!;
  expect(after.at).toEqual({ path, line: 1, column: line.indexOf('after') + 1 });
  const renaming = await languages.rename(after.at, 'later', signal);
  expect(renaming).toEqual({
    kind: 'edits',
    files: [
      {
        path,
        edits: [
          {
            from: after.at && { line: 1, column: after.at.column },
            to: { line: 1, column: after.at.column + 5 },
            text: 'later',
          },
          { from: { line: 2, column: 1 }, to: { line: 2, column: 6 }, text: 'later' },
        ],
      },
    ],
  });
});

test('each of several folders is known', async () => {
  const config = '{ "compilerOptions": { "strict": true, "types": [] } }';
  const { languages, signal } = await open(
    {
      'one/a.ts': 'export function inOne() {}\n',
      'one/tsconfig.json': config,
      'two/b.ts': 'export function inTwo() {}\n',
      'two/tsconfig.json': config,
    },
    ['one', 'two'],
  );
  const names = async (file: string) =>
    (await languages.outline(join(world!.path(file)), signal)).map(({ name }) => name);
  expect(await names('one/a.ts')).toEqual(['inOne']);
  expect(await names('two/b.ts')).toEqual(['inTwo']);
  expect(await languages.findDeclaringFiles('inTwo', signal)).toEqual([world!.path('two/b.ts')]);
});

test('a server that is found automatically fetches nothing, where it would by its own habit', async () => {
  const home = await temporaryFolder('folio-npm-');
  await writeFile(join(home, 'npm'), '#!/bin/sh\ntouch "$HOME/fetched"\n');
  await chmod(join(home, 'npm'), 0o755);
  const env = { HOME: home, XDG_CACHE_HOME: home, PATH: `${home}${delimiter}${process.env.PATH}` };
  const hasFetched = () =>
    stat(join(home, 'fetched')).then(
      () => true,
      () => false,
    );
  // Without a project file nothing says which packages have types.
  const files = { 'main.ts': "import pad from 'left-pad';\nexport const padded = pad('a', 2);\n" };
  const found = await findTypeScript();
  const ask = async (program: typeof found) => {
    const made = await LspWorld.make(program, files, undefined, env);
    world = made;
    await made.languages.settle();
    await made.diagnostics.settle(made.path('main.ts'), made.signal);
    await made.write('main.ts', `${files['main.ts']}export const more = padded;\n`);
    expect(await made.languages.outline(made.path('main.ts'), made.signal)).toHaveLength(3);
    return made;
  };
  await (await ask(found)).dispose();
  expect(await hasFetched()).toBe(false);
  await ask({ ...found, settings: undefined });
  await vi.waitFor(async () => expect(await hasFetched()).toBe(true), { timeout: 60_000 });
});
