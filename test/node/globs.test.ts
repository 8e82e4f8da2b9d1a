import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { loadGlob, loadGlobFilter } from '../../src/extension/node/search/globs.ts';

test.each([true, false])(
  'files with an ending are found as by the library, case sensitive: %s',
  async exact => {
    const paths = [
      'a.ipynb',
      'A.IPYNB',
      'in/b.ipynb',
      'in/.ipynb',
      '.ipynb',
      'b.ipynb.txt',
      'b.ipynb/c',
      'ipynb',
    ];
    const quick = await loadGlob('**/*.ipynb', exact);
    const matches = picomatch('**/*.ipynb', { dot: true, nocase: !exact });
    expect(paths.map(quick)).toEqual(paths.map(path => matches(path)));
  },
);

test.each(['build', '.venv', 'a-b'])('what lies in a folder %s is found as by the library', async name => {
  const paths = [
    name,
    `in/${name}`,
    `${name}/a`,
    `in/${name}/a/b`,
    `x${name}/a`,
    `${name}x/a`,
    `${name}.txt`,
    'a',
  ];
  const quick = await loadGlobFilter(`**/${name}/**`);
  const matches = picomatch(`**/${name}/**`, { dot: true });
  expect(paths.map(quick)).toEqual(paths.map(path => matches(path)));
});
