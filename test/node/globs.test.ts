import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { loadGlob } from '../../src/extension/node/search/globs.ts';

const paths = [
  'a.ipynb',
  'A.IPYNB',
  'in/b.ipynb',
  'in/.ipynb',
  '.ipynb',
  'in/b.ipynb.txt',
  'in/b.ipynb/c',
  'ipynb',
];

test.each([true, false])(
  'files with an ending are found as by the library, case sensitive: %s',
  async exact => {
    const quick = await loadGlob('**/*.ipynb', exact);
    const matches = picomatch('**/*.ipynb', { dot: true, nocase: !exact });
    expect(paths.map(quick)).toEqual(paths.map(path => matches(path)));
  },
);
