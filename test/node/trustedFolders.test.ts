import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findUntrustedReason } from '../../src/extension/node/settings/trustedFolders.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the file of trusted folders', () => {
  let home: string;
  let file: string;
  beforeEach(async () => {
    home = await temporaryFolder('folio-trust-');
    file = join(home, '.gemini', 'trustedFolders.json');
    for (const folder of ['.gemini', 'work/app/sub', 'works'])
      await mkdir(join(home, folder), { recursive: true });
  });

  const find = (folder: string, env: Readonly<Record<string, string>> = {}) =>
    findUntrustedReason([join(home, folder)], { home, env });
  const write = (rules: Readonly<Record<string, string>>) =>
    writeFile(
      file,
      JSON.stringify(
        Object.fromEntries(Object.entries(rules).map(([path, level]) => [join(home, path), level])),
      ),
    );

  test('speaks against nothing where there is none', async () => {
    expect(await find('work')).toBeUndefined();
  });

  test('speaks against a folder and what lies in it, and not against one that is called alike', async () => {
    await write({ work: 'DO_NOT_TRUST' });
    for (const folder of ['work', 'work/app/sub']) {
      expect(await find(folder)).toEqual({
        file,
        sentence: `${file} marks ${join(home, 'work')} as not trusted, so nothing is written or run.`,
      });
    }
    expect(await find('works')).toBeUndefined();
  });

  test('is read from the nearest folder that it names', async () => {
    await write({ work: 'DO_NOT_TRUST', 'work/app': 'TRUST_FOLDER' });
    expect(await find('work/app/sub')).toBeUndefined();
    await write({ work: 'TRUST_FOLDER', 'work/app': 'DO_NOT_TRUST' });
    expect(await find('work/app/sub')).toBeDefined();
    // It speaks of `work`, and against that of the same folder.
    await write({ 'work/app': 'TRUST_PARENT', work: 'DO_NOT_TRUST' });
    expect(await find('work/app/sub')).toBeDefined();
    await write({ 'work/app': 'TRUST_PARENT' });
    expect(await find('work')).toBeUndefined();
  });

  test('is about real folders, whatever links lead there', async () => {
    await symlink(join(home, 'work'), join(home, 'link'));
    await write({ work: 'DO_NOT_TRUST' });
    expect(await find('link/app')).toBeDefined();
    await write({ link: 'DO_NOT_TRUST' });
    expect(await find('work/app')).toBeDefined();
  });

  test('trusts nothing where it is not understood, and says so', async () => {
    await write({ work: 'SANDBOX' });
    expect((await find('work'))?.sentence).toContain('which Folio does not support');
    await writeFile(file, '{');
    expect((await find('works'))?.sentence).toMatch(/cannot be read \(.+\), so no folder is trusted/);
  });

  test('yields to the environment, which may also name another file', async () => {
    await write({ work: 'DO_NOT_TRUST' });
    expect(await find('work', { GEMINI_CLI_TRUST_WORKSPACE: 'true' })).toBeUndefined();
    expect((await find('works', { GEMINI_CLI_TRUST_WORKSPACE: 'false' }))?.file).toBeUndefined();
    const other = join(home, 'other.json');
    await writeFile(other, '{}');
    expect(await find('work', { GEMINI_CLI_TRUSTED_FOLDERS_PATH: other })).toBeUndefined();
  });
});
