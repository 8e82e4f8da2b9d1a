import { expect, test } from 'vitest';
import { linkIntention, looksLikePath } from '../../src/webview/transcript/answer/links.ts';
import { formatAgo, formatCount, formatDuration } from '../../src/webview/ui/format.ts';

test('counts are rounded as people say them', () => {
  expect([0, 999, 1000, 2140, 9_949, 9_951, 131_600, 999_600, 1_048_576].map(formatCount)).toEqual([
    '0',
    '999',
    '1k',
    '2.1k',
    '9.9k',
    '10k',
    '132k',
    '1M',
    '1M',
  ]);
});

test('durations have at most two units', () => {
  expect([0, 900, 59_400, 60_000, 80_000, 3_600_000, 7_500_000].map(formatDuration)).toEqual([
    '0 s',
    '1 s',
    '59 s',
    '1 min',
    '1 min 20 s',
    '1 h',
    '2 h 5 min',
  ]);
});

test('how long ago grows coarser with the distance', () => {
  const now = Date.UTC(2026, 0, 31);
  const minute = 60_000;
  const ago = (minutes: number) => formatAgo(now - minutes * minute, now);
  expect([0.5, 5, 180, 30 * 60, 4 * 24 * 60].map(ago)).toEqual([
    'now',
    '5 min ago',
    '3 h ago',
    'yesterday',
    '4 days ago',
  ]);
});

test('inline code is a link only where it names a file', () => {
  const paths = ['src/a.ts', 'a.ts:12', './x/y.test.tsx:3:4', 'src\\a.cs', '@scope/pkg/index.js'];
  const others = ['a.ts', 'foo()', 'npm test', 'a/b', 'https://x.y/z.ts', '1.5', 'x.y', 'a && b'];
  expect(paths.filter(path => !looksLikePath(path))).toEqual([]);
  expect(others.filter(looksLikePath)).toEqual([]);
});

test('a link leads to the browser, to a line of a file or nowhere', () => {
  expect(linkIntention('HTTPS://example.com')).toEqual({ type: 'link.open', url: 'HTTPS://example.com' });
  expect(linkIntention('src/a.ts#L4-L9')).toEqual({ type: 'file.open', path: 'src/a.ts', line: 4 });
  expect(linkIntention('C:\\a\\b.ts:7')).toEqual({ type: 'file.open', path: 'C:\\a\\b.ts', line: 7 });
  expect(linkIntention('100%.md')).toEqual({ type: 'file.open', path: '100%.md' });
  expect(linkIntention('a.ts:3')).toEqual({ type: 'file.open', path: 'a.ts', line: 3 });
  expect(linkIntention('command:workbench.action.quit')).toBeUndefined();
  expect(linkIntention('#section')).toBeUndefined();
  expect(linkIntention('')).toBeUndefined();
});
