import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packVsix, vsixLimit } from '../../scripts/vsix.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';
import { readVsix } from '../support/vsix.ts';

const parts = [
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'package.nls.zh-cn.json',
  'l10n',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];
const others = ['THIRD-PARTY-NOTICES.txt', '.vscodeignore', 'dist', 'media', 'src/protocol', 'test/project'];

const fileLimit = 40;

describe('the package', () => {
  let scratch: string;
  let file: string;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'folio-package-'));
    file = join(scratch, 'folio.vsix');
    await packVsix(repositoryRoot, file);
  });

  afterAll(() => rm(scratch, { recursive: true, force: true }));

  test('holds what Folio consists of and nothing else', async () => {
    const paths = [...(await readVsix(file)).keys()];
    const kinds = new Set(paths.map(kindOf));
    expect([...kinds].toSorted()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/THIRD-PARTY-NOTICES.txt',
      'extension/changelog.md',
      'extension/dist/chunks/*.js',
      'extension/dist/docs/folio.md',
      'extension/dist/extension.js',
      'extension/dist/wasm/*.js',
      'extension/dist/wasm/*.pack',
      'extension/dist/webview/*.css',
      'extension/dist/webview/*.js',
      'extension/dist/webview/assets/*.ttf',
      'extension/dist/webview/chunks/*.js',
      'extension/l10n/bundle.l10n.de.json',
      'extension/l10n/bundle.l10n.zh-cn.json',
      'extension/media/*.svg',
      'extension/media/icon.png',
      'extension/package.json',
      'extension/package.nls.de.json',
      'extension/package.nls.json',
      'extension/package.nls.zh-cn.json',
      'extension/readme.md',
    ]);
  });

  test('has few files, since each costs time to install and to load', async () => {
    expect([...(await readVsix(file)).keys()].length).toBeLessThanOrEqual(fileLimit);
  });

  test('is small enough to be fetched at once', async () => {
    expect((await stat(file)).size).toBeLessThanOrEqual(vsixLimit);
  });

  test('runs where the files are: over SSH, in a container and in WSL on that machine', async () => {
    const manifest = (await readVsix(file)).get('extension/package.json');
    expect(JSON.parse(await manifest!.async('string'))).toMatchObject({ extensionKind: ['workspace'] });
  });

  test('has the same bytes whenever and from wherever it is made', async () => {
    const copy = join(scratch, 'copy');
    for (const name of [...parts, ...others])
      await cp(join(repositoryRoot, name), join(copy, name), { recursive: true });
    await setTimes(copy, new Date('2001-02-03T04:05:06Z'));
    const second = join(scratch, 'second.vsix');
    await packVsix(copy, second);
    expect(await digestOf(second)).toBe(await digestOf(file));
  });
});

/** Files that may be many, or have a hash in their name, by their kind. */
function kindOf(path: string): string {
  if (/^extension\/dist\/(chunks|wasm|webview)\/|\.svg$/.test(path))
    return path.replace(/[^/]+(\.\w+)$/, '*$1');
  return path;
}

async function setTimes(folder: string, time: Date): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(entries.map(entry => utimes(join(folder, entry), time, time)));
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
