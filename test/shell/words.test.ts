import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Word } from '../../src/extension/shell/classify/analysis.ts';
import { fc } from '../support/properties.ts';
import { runSize, seed } from '../support/runSize.ts';
import { homeOfTests, loadTestParser } from '../support/shellParser.ts';

const parser = await loadTestParser();
const folder = mkdtempSync(join(tmpdir(), 'folio-words-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const pieces = [
  'a',
  'B',
  '1',
  '-',
  '--',
  '=',
  '/',
  '.',
  ',',
  ':',
  '@',
  '%',
  '+',
  '_',
  '~',
  '^',
  '{',
  '}',
  '{}',
  '{a',
  '#',
  '!',
  'é',
  '你',
  '\\ ',
  '\\\\',
  "\\'",
  '\\"',
  '\\$',
  '\\`',
  '\\*',
  '\\n',
  '\\\n',
  '\\;',
  '\\|',
  '\\&',
  '\\(',
  '\\~',
  '\\#',
  "'x y'",
  "'$a'",
  "''",
  "'`'",
  "'\"'",
  "'\\'",
  "'a\nb'",
  "';|&'",
  "'#'",
  "'*'",
  '"x y"',
  '"\\$a"',
  '""',
  '"\\`"',
  '"\'"',
  '"\\\\"',
  '"\\n"',
  '"a\\\nb"',
  '";|&"',
  '"$"',
  '"*"',
  '"a\tb"',
  '"{a,b}"',
  '" "',
  "$'\\n'",
  "$'\\x41'",
  "$'\\t'",
  "$'a\\'b'",
  "$'\\101'",
  "$'\\u0041'",
  "$'\\\\'",
  "$'\\e'",
  '$',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '{1..3}',
  '$a',
  '"$a"',
  '${a}',
  '$(echo x)',
  '`echo x`',
];

/** Words that a user or a model might write, and many that nobody would. */
const randomWord = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
  .map(parts => parts.join(''));

describe('words', () => {
  test('that are known before they run are what bash makes of them', () => {
    const samples = fc.sample(fc.array(randomWord, { minLength: 1, maxLength: 4 }), {
      numRuns: runSize({ test: 400, prove: 30_000 }),
      seed,
    });
    const known = samples
      .map(words => ({ command: `probe ${words.join(' ')}`, words: plainWords(`probe ${words.join(' ')}`) }))
      .filter(({ words }) => words !== undefined);
    // Most random words hold something that is not known in advance; enough must remain for this to mean something.
    expect(known.length).toBeGreaterThan(samples.length / 8);
    const seen = runInBash(known.map(({ command }) => command));
    const differing = known
      .map((each, index) => ({ ...each, seen: seen[index] }))
      .filter(each => JSON.stringify(each.seen) !== JSON.stringify(each.words));
    expect(differing, `seed ${seed}`).toEqual([]);
  });

  test.each<readonly [string, string, Word['kind'], string]>([
    ['quotes are taken away', `"a b"'c'd`, 'plain', 'a bcd'],
    ['a backslash keeps what follows', 'a\\ b', 'plain', 'a b'],
    ['the home folder is put in', '~/x', 'plain', `${homeOfTests}/x`],
    ['a quoted tilde is none', '"~/x"', 'plain', '~/x'],
    ['a pattern says so', 'src/*.ts', 'pattern', 'src/*.ts'],
    ['a quoted star is none', "'*.ts'", 'plain', '*.ts'],
    ['a reference of git is plain', 'HEAD@{1}', 'plain', 'HEAD@{1}'],
    ['empty quotes are a word', "''", 'plain', ''],
  ])('%s', (_, text, kind, value) => {
    expect(parser.analyse(`probe ${text}`, 'bash').commands[0]!.words[1]).toEqual({ kind, text, value });
  });

  test.each([
    '$x',
    '"$x"',
    'a$(ls)b',
    '`ls`',
    '{a,b}',
    'a{1..3}',
    '~root',
    'x=~/a',
    '${x}',
    '$((1+1))',
    '<(ls)',
  ])('what %s stands for is not known', text => {
    const words = parser.analyse(`probe ${text}`, 'bash').commands.at(-1)!.words;
    expect(words[1]).toMatchObject({ kind: 'unknown', text });
  });

  test.each([
    'probe "a"\\  #b',
    'probe "a"\\  ; ls',
    'probe "a"\\ ',
    'probe "a"\\  && ls',
    '(probe "a"\\  )',
  ])('where the grammar loses an escaped blank, %s is not understood', text => {
    expect(parser.analyse(text, 'bash').unparsed).toBeDefined();
  });

  test('an unknown word says what it surely begins with, and whether it stays one', () => {
    const { words } = parser.analyse('probe src/$x "src/$x" "src/$@"', 'bash').commands[0]!;
    expect(words.slice(1)).toEqual([
      { kind: 'unknown', text: 'src/$x', prefix: 'src/', single: false },
      { kind: 'unknown', text: '"src/$x"', prefix: 'src/', single: true },
      { kind: 'unknown', text: '"src/$@"', prefix: 'src/', single: false },
    ]);
  });
});

/** Undefined if any word is not known, or the whole is not understood. */
function plainWords(command: string): readonly string[] | undefined {
  const { commands, unparsed, background, writes, reads } = parser.analyse(command, 'bash');
  if (unparsed !== undefined || commands.length !== 1 || background || writes.length + reads.length > 0)
    return undefined;
  const values = commands[0]!.words.map(word => (word.kind === 'plain' ? word.value : undefined));
  return values.every(value => value !== undefined) ? values.slice(1) : undefined;
}

/** One bash for all commands: each prints its words, every one ended by a null, and an extra one at the end. */
function runInBash(commands: readonly string[]): readonly (readonly string[])[] {
  const script = join(folder, 'probe.sh');
  const lines = commands.map(command => `${command}\nprintf '\\1'`);
  writeFileSync(script, ['probe() { [ $# -eq 0 ] || printf "%s\\0" "$@"; }', ...lines, ''].join('\n'));
  const output = execFileSync('bash', ['--norc', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: homeOfTests, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return output
    .split('\x01')
    .slice(0, -1)
    .map(part => part.split('\0').slice(0, -1));
}
