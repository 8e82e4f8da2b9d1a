import { describe, expect, test } from 'vitest';
import { classifyCommandLine } from '../../src/extension/shell/classify/analysis.ts';
import { maxParsedLength } from '../../src/extension/shell/shellParser.ts';
import { anyCharacter, fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';
import { loadTestParser } from '../support/shellParser.ts';

const parser = await loadTestParser();

/** Ways to bury a command in a longer one; each keeps it running. */
const burials: readonly ((command: string) => string)[] = [
  command => `(${command})`,
  command => `{ ${command}; }`,
  command => `ls | ${command}`,
  command => `${command} | wc -l`,
  command => `ls && ${command}`,
  command => `false || ${command}`,
  command => `ls; ${command}; pwd`,
  command => `ls\n${command}\n`,
  command => `! ${command}`,
  command => `${command} 2>/dev/null`,
  command => `${command} &`.replace(/& &$/, '&'),
  command => `if ls; then ${command}; fi`,
  command => `if ${command}; then ls; fi`,
  command => `for x in a b; do ${command}; done`,
  command => `while ${command}; do ls; done`,
  command => `case a in a) ${command} ;; esac`,
  command => `echo "$(${command})"`,
  command => `echo $(${command})`,
  command => `x=$(${command})`,
  command => `cat <(${command})`,
  command => `bash -c ${quote(command)}`,
  command => `sh -c ${quote(command)} name`,
  command => `env X=1 bash -c ${quote(command)}`,
  command => `timeout 5 bash -c ${quote(command)}`,
  command => `nice -n 5 sh -c ${quote(command)}`,
  command => `ls | xargs -n 1 bash -c ${quote(command)}`,
  command => `nohup bash -c ${quote(command)}`,
  command => `command bash -c ${quote(command)}`,
  command => `time bash -c ${quote(command)}`,
  command => `bash <<< ${quote(command)}`,
  command => `cat <<EOF\n$(${command})\nEOF\n`,
];

/** Put in front of the words of one plain command. */
const fronts = [
  'env A=1',
  'timeout 5',
  'timeout -s KILL 5',
  'nice',
  'nohup',
  'command',
  'time',
  'xargs',
  'sudo -u me',
  'stdbuf -oL',
];

const dangers = [
  'rm -rf /',
  'rm -rf ~',
  'git push --force',
  'shutdown now',
  'dd if=a of=/dev/sda',
  'mkfs.ext4 /dev/sda',
  'npm publish',
];

describe('a dangerous command', () => {
  test('stays found however deep it is buried', () => {
    const buried = fc
      .tuple(
        fc.constantFrom(...dangers),
        fc.option(fc.constantFrom(...fronts), { nil: '' }),
        fc.array(fc.constantFrom(...burials), { maxLength: 4 }),
      )
      .map(([danger, front, layers]) =>
        layers.reduce((inner, bury) => bury(inner), `${front} ${danger}`.trim()),
      );
    fc.assert(
      fc.property(buried, command => {
        const analysis = parser.analyse(command, 'bash');
        const { kind } = classifyCommandLine(analysis);
        // A text that is not understood asks, and no lasting permission covers it.
        expect(['dangerous', 'refused'].includes(kind) || analysis.unparsed !== undefined).toBe(true);
      }),
      { numRuns: runSize({ test: 300, prove: 50_000 }) },
    );
  });

  test.each(burials.map((bury, index) => [bury('rm -rf /'), index] as const))('is found in %j', command => {
    expect(classifyCommandLine(parser.analyse(command, 'bash')).kind).toBe('dangerous');
  });

  test.each(fronts)('is found behind %s', front => {
    expect(classifyCommandLine(parser.analyse(`${front} rm -rf /`, 'bash')).kind).toBe('dangerous');
  });
});

describe('no text', () => {
  const pieces = [
    'ls',
    'rm',
    '-rf',
    '/',
    'bash',
    '-c',
    'EOF',
    'x=1',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'case',
    'esac',
    '"',
    "'",
    '`',
    '$(',
    ')',
    '${',
    '}',
    '{',
    '(',
    '((',
    '))',
    '[[',
    ']]',
    '[',
    ']',
    '<<EOF',
    '<<-',
    '<<<',
    '<(',
    '>(',
    '|',
    '|&',
    '||',
    '&&',
    '&',
    ';',
    ';;',
    '\n',
    ' ',
    '\\',
    '\\\n',
    '#',
    '>',
    '>>',
    '2>&1',
    '<',
    '$',
    '*',
    '?',
    '~',
    '!',
    '=',
    "$'",
    // Names of what every object has.
    '__proto__',
    'constructor',
    'toString',
  ];
  const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map(parts => parts.join(''));
  const spaced = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map(parts => parts.join(' '));

  test.each(['bash', 'powershell'] as const)('makes the analysis for %s throw', shell => {
    fc.assert(
      fc.property(fc.oneof(mixed, spaced, fc.string({ unit: anyCharacter, maxLength: 200 })), text => {
        const analysis = parser.analyse(text, shell);
        // Problem inside is caught and asks; here it would be a mistake that nobody sees.
        expect(analysis.unparsed?.() ?? '').not.toContain('could not be checked');
        expect(
          analysis.commands.every(
            ({ reason, root }) => typeof reason() === 'string' && typeof root === 'string',
          ),
        ).toBe(true);
      }),
      { numRuns: runSize({ test: 200, prove: 20_000 }) },
    );
  });

  test.each([
    ['brackets', '('.repeat(5000)],
    ['substitutions', '$('.repeat(3000) + 'ls' + ')'.repeat(3000)],
    ['subshells', '('.repeat(2000) + 'ls' + ')'.repeat(2000)],
    ['a long pipe', Array.from({ length: 3000 }, () => 'ls').join(' | ')],
    ['slashes and dots', `rm ${'./'.repeat(20_000)}x`],
    ['open braces', `echo ${'{'.repeat(40_000)}`],
    ['brackets for sed', `sed '${'['.repeat(40_000)}' a`],
    ['one long word', `cat ${'a'.repeat(90_000)}`],
    ['quotes', `echo ${"''".repeat(30_000)}`],
    ['equal signs', `env ${'a='.repeat(40_000)}`],
  ])('of many %s takes for ever', (_, text) => {
    expect(parser.analyse(text, 'bash').commands.length).toBeLessThanOrEqual(500);
  });

  test('is parsed beyond the limit', () => {
    const analysis = parser.analyse(`ls ${'a'.repeat(maxParsedLength)}`, 'bash');
    expect([analysis.commands, analysis.unparsed?.()]).toEqual([[], 'It is too long to check.']);
  });
});

test('shells inside of shells are followed to a depth, and then it asks', () => {
  let command = 'rm -rf /';
  for (let level = 0; level < 4; level++) command = `bash -c ${quote(command)}`;
  expect(classifyCommandLine(parser.analyse(command, 'bash')).kind).toBe('dangerous');
  const wrapped = `${'env A=1 '.repeat(30)}ls`;
  expect(parser.analyse(wrapped, 'bash').unparsed?.()).toContain('nested too deeply');
});

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
