import { describe, expect, test } from 'vitest';
import { makeRankEntry } from '../../../src/extension/core/mentions/matchScore.ts';
import { Ranking } from '../../../src/extension/core/mentions/rank.ts';
import { fc } from '../../support/properties.ts';

function rank(paths: readonly string[], query: string, boost: readonly string[] = []): readonly string[] {
  const options = { limit: 20, boost: new Map(boost.map(path => [path, 12])) };
  return new Ranking(paths.map(path => makeRankEntry(path)))
    .rank(query, options)
    .best.map(({ path }) => path);
}

describe('the paths that fit best', () => {
  test.each([
    [
      'a name before a folder of that name',
      'invoice',
      ['invoice/total.ts', 'src/invoice.ts'],
      'src/invoice.ts',
    ],
    ['letters in a row before scattered ones', 'tax', ['src/total-axis.ts', 'src/tax.ts'], 'src/tax.ts'],
    ['the beginning of a name before its middle', 'con', ['src/beacon.ts', 'src/config.ts'], 'src/config.ts'],
    [
      'beginnings of words before letters inside',
      'fbs',
      ['src/offbass.ts', 'src/fooBarStore.ts'],
      'src/fooBarStore.ts',
    ],
    ['words by hyphens and dots', 'rmt', ['src/formatter.ts', 'src/read-me.test.ts'], 'src/read-me.test.ts'],
    [
      'the whole name before one that continues',
      'index',
      ['src/indexer.ts', 'src/deep/er/index.ts'],
      'src/deep/er/index.ts',
    ],
    ['the shorter path', 'index.ts', ['src/deep/index.ts', 'src/index.ts'], 'src/index.ts'],
    ['the case as typed', 'Make', ['make', 'Make'], 'Make'],
    [
      'a path across folders',
      'src/tax',
      ['lib/src-taxes.ts', 'src/lib/tax.ts', 'src/tax/a.ts'],
      'src/tax/a.ts',
    ],
    [
      'folders by their beginnings',
      'cmr',
      ['src/acme/err.ts', 'core/mentions/rank.ts'],
      'core/mentions/rank.ts',
    ],
    ['a folder by its name', 'docs', ['docs/', 'docs/a.md', 'src/docstring.ts'], 'docs/'],
    ['a slash at the end', 'docs/', ['docs/deep/a.md', 'olddocs/a.md', 'docs/', 'docs/a.md'], 'docs/'],
    ['a path with backslashes', 'src\\tax', ['src/tax.ts', 'src/extra/a.ts'], 'src/tax.ts'],
  ])('prefers %s', (_, query, paths, first) => {
    expect(rank(paths, query)[0]).toBe(first);
    expect(rank(paths.toReversed(), query)[0]).toBe(first);
  });

  test('what is open goes first among those that fit alike, and never against a far better one', () => {
    const paths = ['a/index.ts', 'b/index.ts', 'b/in-deep-exit.ts'];
    expect(rank(paths, 'index', ['b/index.ts'])[0]).toBe('b/index.ts');
    expect(rank(paths, 'index', ['b/in-deep-exit.ts'])[0]).toBe('a/index.ts');
  });

  test('leaves out what lacks a letter or has them in another order', () => {
    expect(rank(['src/abc.ts', 'src/acb.ts', 'src/ab.ts'], 'abc')).toEqual(['src/abc.ts']);
  });

  const path = fc
    .array(
      fc.string({
        minLength: 1,
        maxLength: 8,
        unit: fc.constantFrom('a', 'b', 'C', 'd', '-', '.', 'É', '1'),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map(names => names.join('/'));
  const paths = fc.uniqueArray(path, { maxLength: 40 });
  const query = fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'b', 'c', 'D', '-', '/', 'é', '1') });

  test('takes exactly the paths that hold the letters in this order', () => {
    fc.assert(
      fc.property(paths, query, (paths, query) => {
        const letters = query.toLowerCase().replace(/^\/+/, '');
        if (letters === '') return;
        const expected = paths.filter(each => holds(each.toLowerCase(), letters));
        const ranking = new Ranking(paths.map(path => makeRankEntry(path))).rank(query, { limit: 100 });
        expect(ranking.best.map(({ path }) => path).sort()).toEqual(expected.sort());
        expect(ranking.fitting).toBe(expected.length);
      }),
    );
  });

  test('ranks a query typed letter by letter as if it had been typed at once', () => {
    fc.assert(
      fc.property(paths, fc.array(query, { maxLength: 6 }), (paths, queries) => {
        const typed = new Ranking(paths.map(path => makeRankEntry(path)));
        for (const query of queries) {
          for (let end = 1; end <= query.length; end++) {
            const options = { limit: 10 };
            const fresh = new Ranking(paths.map(path => makeRankEntry(path))).rank(
              query.slice(0, end),
              options,
            );
            expect(typed.rank(query.slice(0, end), options)).toEqual(fresh);
          }
        }
      }),
    );
  });

  test('does not depend on the order in which files were found', () => {
    fc.assert(
      fc.property(paths, query, (paths, query) => {
        expect(rank(paths.toReversed(), query)).toEqual(rank(paths, query));
      }),
    );
  });
});

function holds(text: string, letters: string): boolean {
  let rest = text;
  for (const letter of letters) {
    const at = rest.indexOf(letter);
    if (at < 0) return false;
    rest = rest.slice(at + 1);
  }
  return true;
}
