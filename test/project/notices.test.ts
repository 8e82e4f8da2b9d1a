import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { packagesIn } from '../../scripts/notices/bundledPackages.ts';
import { findProblems, isAllowed } from '../../scripts/notices/licences.ts';
import { describeNotices } from '../../scripts/notices/noticeText.ts';
import { readPackage } from '../../scripts/notices/readPackage.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';

const sound = { name: 'a', version: '1.0.0', licence: 'MIT', texts: ['Do what you like.'] };

describe('what may be shipped', () => {
  test.each(['MIT', '0BSD', 'Apache-2.0', '(MPL-2.0 OR Apache-2.0)', 'MIT AND CC-BY-4.0'])('%s', licence => {
    expect(isAllowed(licence)).toBe(true);
    expect(findProblems({ ...sound, licence })).toEqual([]);
  });

  test.each([
    'GPL-3.0-only',
    'AGPL-3.0',
    'SSPL-1.0',
    'BUSL-1.1',
    'MIT AND GPL-2.0',
    'SEE LICENSE IN X',
    'UNLICENSED',
    '',
  ])('is not what is under "%s"', licence => {
    expect(isAllowed(licence)).toBe(false);
    expect(findProblems({ ...sound, licence })).toHaveLength(1);
  });

  test('is nothing without the text of its licence', () => {
    expect(findProblems({ ...sound, texts: [] })[0]).toContain('has no text of its licence');
  });
});

describe('notices', () => {
  test('name what is in a bundle, and not what was left out of it as unused', async () => {
    const contents = "import { Element } from 'domhandler'; import { h } from 'preact'; console.log(h);";
    const stdin = { contents, resolveDir: repositoryRoot };
    const options = { bundle: true, write: false, metafile: true, absWorkingDir: repositoryRoot } as const;
    const { metafile } = await build({ stdin, ...options, logLevel: 'silent' });
    const packages = new Set(packagesIn(metafile));
    expect(Object.keys(metafile.inputs).join()).toContain('domhandler');
    expect(packages).toContain('node_modules/preact');
    expect(packages).not.toContain('node_modules/domhandler');
  });

  test('have the licence of a package that keeps it elsewhere, or in its README', async () => {
    for (const name of ['@microsoft/fast-element', 'data-uri-to-buffer']) {
      const [text] = (await readPackage(repositoryRoot, `node_modules/${name}`)).texts;
      expect(text).toMatch(/^.*Copyright.*Permission is hereby granted.*WARRANT/is);
    }
  });

  test('print a text once for all packages that share it', () => {
    const text = describeNotices([sound, { ...sound, name: 'b' }]);
    expect(text.match(/Do what you like\./g)).toHaveLength(1);
    expect(text).toContain('a 1.0.0 (MIT)\nb 1.0.0 (MIT)');
  });
});
