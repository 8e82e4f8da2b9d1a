import { expect, test } from 'vitest';
import { emptySession } from '../../src/protocol/state.ts';
import { formatCost } from '../../src/webview/ui/format.ts';
import { chapterFactList, spendingFacts, spendingFactsWithCache } from '../../src/webview/ui/totals.ts';
import { shownState } from '../panel/journal.ts';

const [opening] = shownState(emptySession).chapters;
const usage = { prompt: 44_100, cached: 40_000, output: 700, thoughts: 200 };

test('a chapter says what is known of it, and tokens from the cache are not counted twice', () => {
  expect(
    chapterFactList({ ...opening!, calls: 1, usage, cost: 0.0412 }, { activeMs: 61_000, waitedMs: 120_000 }),
  ).toEqual(['1 call', '45k tokens', '91% cached', '$0.04', '1 min 1 s', 'waited 2 min']);
  expect(chapterFactList({ ...opening!, usage }, { activeMs: 900, waitedMs: 900 })).toEqual([
    '45k tokens',
    '91% cached',
    'price unknown',
  ]);
  expect(chapterFactList(opening!, { activeMs: 0, waitedMs: 0 })).toEqual([]);
});

test('without a known price the line that runs has no word of money, and the end of a turn says so; what is free has none', () => {
  expect(spendingFactsWithCache({ usage })).toEqual(['45k tokens', '91% cached', 'price unknown']);
  expect(spendingFacts({ usage })).toEqual(['45k tokens']);
  expect(spendingFacts({ usage, cost: 0.04, unpriced: true })).toEqual(['45k tokens', 'at least $0.04']);
  expect(spendingFactsWithCache({ usage, cost: 0.04, unpriced: true })[2]).toBe('at least $0.04');
  expect(spendingFacts({ usage, cost: 0 })).toEqual(['45k tokens']);
});

test('a provider that says nothing of a cache gets no share, and one that had everything gets all of it', () => {
  expect(spendingFactsWithCache({ usage: { ...usage, cached: 0 }, cost: 1 })).toEqual([
    '45k tokens',
    '$1.00',
  ]);
  expect(spendingFactsWithCache({ usage: { ...usage, cached: 44_100 }, cost: 1 })[1]).toBe('100% cached');
  expect(spendingFactsWithCache({ usage: { ...usage, prompt: 0, cached: 0 }, cost: 0.5 })).toEqual([
    '900 tokens',
    '$0.50',
  ]);
});

test('the savings of the cache are said from half a cent', () => {
  const saved = (dollars: number) => spendingFactsWithCache({ usage, cost: 1, saved: dollars })[1];
  expect(saved(0.12)).toBe('91% cached, saved $0.12');
  expect(saved(0.004)).toBe('91% cached');
  expect(saved(-0.2)).toBe('91% cached');
});

test('money is rounded to cents, and a little of it is not nothing', () => {
  expect([0, 0.0001, 0.0099, 0.01, 0.0412, 1, 12.3456].map(formatCost)).toEqual([
    '$0.00',
    '<$0.01',
    '<$0.01',
    '$0.01',
    '$0.04',
    '$1.00',
    '$12.35',
  ]);
});
