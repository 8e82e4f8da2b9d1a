import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NodeExtensionVariables } from '../../src/extension/node/customizations/extensionVariables.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let folder: string;
const variables = new NodeExtensionVariables();
beforeEach(async () => {
  folder = await temporaryFolder('folio-env-');
});

const text = () => readFile(join(folder, '.env'), 'utf8');

test('there is nothing where there is no file, and what is written first is for the user alone', async () => {
  expect(await variables.read(folder)).toEqual({});
  await variables.write(folder, 'PORT', '80');
  expect(await text()).toBe('PORT=80\n');
  if (process.platform !== 'win32') expect((await stat(join(folder, '.env'))).mode & 0o077).toBe(0);
});

test.each(['', 'a b', `it's`, `it's "both"`, '#no comment', 'a=b', ' blanks ', 'C:\\new', '$HOME', '100 %'])(
  'what is written is read: %j',
  async value => {
    await variables.write(folder, 'A', 'before');
    await variables.write(folder, 'VALUE', value);
    expect(await variables.read(folder)).toEqual({ A: 'before', VALUE: value });
  },
);

test('a line is changed in its place, and the others stay as they are', async () => {
  await writeFile(join(folder, '.env'), '# ours\nPORT=1\n\nexport KEY="x"\nPORTS=2');
  await variables.write(folder, 'KEY', 'y');
  await variables.write(folder, 'NEW', 'z');
  expect(await text()).toBe('# ours\nPORT=1\n\nKEY=y\nPORTS=2\nNEW=z\n');
});

test.each([
  ['a value of several lines', 'KEY="one\nPORT=2\nthree"\n', 'KEY', 'x'],
  ['a value with every kind of quotes', '', 'KEY', '\'"`'],
])('%s that cannot be kept as it is changes nothing', async (_what, before, name, value) => {
  await writeFile(join(folder, '.env'), before);
  await expect(variables.write(folder, name, value)).rejects.toThrow(
    `Folio cannot change ${join(folder, '.env')} without changing other parts of it. Add KEY to it manually.`,
  );
  expect(await text()).toBe(before);
});

test('a file at rest is not parsed again until it has changed, whoever changes it', async () => {
  const resting = new NodeExtensionVariables(() => Date.now() + 60_000);
  await writeFile(join(folder, '.env'), 'PORT=1\n');
  const before = await resting.read(folder);
  expect(await resting.read(folder)).toBe(before);
  await writeFile(join(folder, '.env'), 'PORT=22\n');
  expect(await resting.read(folder)).toEqual({ PORT: '22' });
  await resting.write(folder, 'PORT', '3');
  expect(await resting.read(folder)).toEqual({ PORT: '3' });
  await rm(join(folder, '.env'));
  expect(await resting.read(folder)).toEqual({});
});
