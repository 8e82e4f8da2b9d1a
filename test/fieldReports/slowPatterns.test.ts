import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TimeLimitedPattern } from '../../src/extension/core/policy/timeLimitedPattern.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface PatternCase extends WorldCase {
  readonly line: string;
  readonly args: { readonly pattern: string; readonly exclude_pattern?: string };
}

const letters = 'abcdefghij, abcdefghij, abcdefghij, abcdefghij';

const cases: readonly PatternCase[] = [
  {
    title: 'repetitions of repetitions',
    source: 'report',
    line: letters,
    args: { pattern: String.raw`(\w+,?\s*)+;$` },
  },
  {
    title: 'three gaps on a long line',
    source: 'report',
    line: 'function return '.repeat(4_000),
    args: { pattern: 'function.*return.*from' },
  },
  {
    title: 'an exclusion',
    source: 'report',
    line: letters,
    args: { pattern: 'abc', exclude_pattern: String.raw`(\w+,?\s*)+;$` },
  },
];

describe('a pattern that takes years', () => {
  const world = allTests(() => HeadlessWorld.make());

  it.each(cases)('ends without VS Code, with the packaged ripgrep: $title', async ({ line, args }) => {
    await writeFile(join(world.workspace, 'a.txt'), `${line}\n`);
    world.server.script([call('grep_search', args)], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go'], { env: { PATH: '' } });
    expect(code, error).toBe(0);
    const [result] = lastResults(world.server.requests.at(-1)!);
    // Lines are excluded by our own engine, which is interrupted.
    expect(result?.error ?? result?.output).toMatch(
      args.exclude_pattern === undefined ? /^No match/ : /takes too long/,
    );
  });

  it.each(cases)('ends where there is no ripgrep: $title', async ({ line, args }) => {
    const path = join(world.workspace, 'a.txt');
    await writeFile(path, `${line}\n`);
    const { pattern, exclude_pattern: excludeLines } = args;
    const query = { path, pattern, excludeLines, maxTotal: 10 };
    await expect(new WalkSearch().findText(query, new AbortController().signal)).rejects.toThrow(
      'takes too long',
    );
  });
});

describe('a pattern of a rule that takes too long', () => {
  const long = 'a b '.repeat(5_000);
  const patterns = ['.*a.*b.*a.*b.*c', '^(?:.*a.*b.*a.*b.*c)'];

  it.each(patterns)('closes what it forbids, and opens nothing: %s', pattern => {
    expect(new TimeLimitedPattern(pattern, true).test(long)).toBe(true);
    expect(new TimeLimitedPattern(pattern, false).test(long)).toBe(false);
  });

  it('is read as any other over short texts', () => {
    const pattern = new TimeLimitedPattern('"command":"git (?:push|tag)"', true);
    expect([pattern.test('{"command":"git push"}'), pattern.test('{"command":"git log"}')]).toEqual([
      true,
      false,
    ]);
    const long = `{"command":"git push","x":"${'y'.repeat(40_000)}"}`;
    expect(pattern.test(long)).toBe(true);
  });
});
