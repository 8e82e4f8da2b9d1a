import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { classifyCommandLine } from '../../src/extension/shell/classify/analysis.ts';
import { fc } from '../support/properties.ts';
import { runSize, seed } from '../support/runSize.ts';
import { homeOfTests, loadTestParser } from '../support/shellParser.ts';

const parser = await loadTestParser();
const folder = mkdtempSync(join(tmpdir(), 'folio-reality-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Nothing here can do more than make a file in the folder it runs in; no path leads out of it. */
const pieces = [
  'ls',
  'echo',
  'cat',
  'pwd',
  'true',
  'false',
  'wc -l',
  'touch M',
  'touch',
  'M',
  'to',
  'uch M',
  'x',
  '-o M',
  '-n',
  'sort',
  'sort -o M',
  'find . -fprint M',
  'sed -n',
  "'w M'",
  'p',
  'awk \'BEGIN{print > "M"}\'',
  'tee M',
  'xargs',
  'env',
  'command',
  "bash -c 'touch M'",
  "bash -c 'echo M'",
  'eval',
  'printf',
  'test -v',
  '[ a',
  ']',
  '[[ a',
  ']]',
  'x=1',
  'PATH=.',
  '>',
  '>>',
  '>|',
  '&>',
  '<',
  '2>&1',
  '<<E',
  '\nE\n',
  '<<<',
  "<<'E'",
  '<(',
  '>(',
  '|',
  '|&',
  '||',
  '&&',
  ';',
  ';;',
  '$(',
  '$((',
  '))',
  '`',
  ')',
  '(',
  '{',
  '}',
  '${x:-',
  '}',
  '$',
  '"',
  "'",
  '\\',
  '\\\n',
  '\n',
  '#',
  '!',
  "$'",
  '{touch,M}',
  '*',
  '~',
  'if',
  'then',
  'fi',
  'case a in',
  'a)',
  'esac',
  'f()',
  'f',
  'time',
  'coproc',
  'exec',
  'function f',
  '\t',
  '=',
  'x+=',
];
const line = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(' ', ' ', ' ', '')), {
    minLength: 1,
    maxLength: 9,
  })
  .map(parts => parts.map(([piece, gap]) => piece + gap).join(''));

test('what is classified to only read makes no file when bash really runs it', () => {
  const samples = fc.sample(line, { numRuns: runSize({ test: 3000, prove: 150_000 }), seed });
  const trusted = [...new Set(samples)].filter(
    each => classifyCommandLine(parser.analyse(each, 'bash')).kind === 'reads',
  );
  const risky = trusted.filter(each => /M|>/.test(each)).slice(0, runSize({ test: 60, prove: 4000 }));
  // Lines that look as if they wrote, and are said not to, are the ones that prove something.
  expect(risky.length).toBeGreaterThan(runSize({ test: 20, prove: 1000 }));
  const wrote = runAll(risky).map(index => risky[index]);
  expect(wrote, `seed ${seed}`).toEqual([]);
});

test('the check sees a file when there is one', () => {
  expect(runAll(['ls', 'touch M', 'echo a > b', 'true'])).toEqual([1, 2]);
});

/** Runs each line automatically in an empty folder, and gives the numbers of those that left something there. */
function runAll(lines: readonly string[]): readonly number[] {
  const place = join(folder, 'place');
  mkdirSync(place, { recursive: true });
  const list = join(folder, 'lines');
  writeFileSync(list, lines.map(each => `${each}\0`).join(''));
  const script = [
    'n=0',
    "while IFS= read -r -d '' line <&9; do",
    '  timeout 20 bash -c "$line" </dev/null >/dev/null 2>&1 9<&-',
    '  if [ -n "$(ls -A)" ]; then echo $n; find . -mindepth 1 -delete; fi',
    '  n=$((n + 1))',
    'done 9<"$1"',
  ].join('\n');
  const output = execFileSync('bash', ['--norc', '-c', script, 'runAll', list], {
    cwd: place,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: homeOfTests, LC_ALL: 'C.UTF-8' },
  });
  return output.split('\n').filter(Boolean).map(Number);
}
