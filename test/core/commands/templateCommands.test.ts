import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBraceTemplate } from '../../../src/extension/core/commands/template/braceTemplate.ts';
import { parseMarkdownTemplate } from '../../../src/extension/core/commands/template/markdownTemplate.ts';
import { quoteArgument } from '../../../src/extension/core/commands/template/quoteArgument.ts';
import { splitWords } from '../../../src/extension/core/commands/template/words.ts';
import { makeOffers } from '../../../src/extension/core/policy/offers.ts';
import type { Verdict } from '../../../src/extension/core/policy/verdict.ts';
import { eachTest } from '../../support/eachTest.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { printed, TemplateWorld } from '../../support/templateWorld.ts';

const world = eachTest(() => TemplateWorld.make({ 'a.txt': 'one\n' }));

/** A command has made the file `started`. */
const untilStarted = () => expect.poll(() => existsSync(join(world.folder, 'started'))).toBe(true);

function asks(root: string): Verdict {
  const offers = makeOffers([[{ kind: 'command', root }]], { workspace: undefined, isKept: false });
  return { kind: 'ask', reason: () => `${root} is not known.`, always: offers };
}

describe('commands of a template', () => {
  test('are asked about once, all together, and only those that the policy asks about', async () => {
    world.verdict = command => (command.startsWith('printf') ? { kind: 'allow' } : asks('cat'));
    const template = parseBraceTemplate('!{cat a.txt} !{printf x} !{cat {{args}}} !{cat a.txt}');
    expect(await world.fill(template, 'a.txt')).toMatchObject({ attachments: [] });
    expect(world.asked).toEqual([
      {
        name: 'test',
        folder: world.folder,
        canLast: true,
        commands: [
          { command: 'cat a.txt', reason: 'cat is not known.' },
          { command: "cat 'a.txt'", reason: 'cat is not known.' },
        ],
      },
    ]);
    expect(world.remembered).toEqual([]);
  });

  test('are allowed for the session when the user says so', async () => {
    world.verdict = () => asks('cat');
    world.answer = 'session';
    await world.fill(parseBraceTemplate('!{cat a.txt}'));
    expect(world.remembered).toEqual(['Always run cat *']);
  });

  test('run none of them when the user says no', async () => {
    world.verdict = command => (command.startsWith('touch') ? { kind: 'allow' } : asks('cat'));
    world.answer = 'no';
    expect(await world.text(parseBraceTemplate('!{touch ran} !{cat a.txt}'))).toBe(
      '/test was not sent: you did not let its 1 command run.',
    );
    world.verdict = () => ({ kind: 'allow' });
    expect(await world.text(parseBraceTemplate('!{ls}'))).toBe(printed('a.txt'));
  });

  test('run none of them when one is forbidden, and nobody is asked', async () => {
    world.verdict = command =>
      command.startsWith('rm') ? { kind: 'deny', reason: () => 'A rule forbids it.' } : asks('touch');
    expect(await world.text(parseBraceTemplate('!{touch ran} !{rm a.txt}'))).toBe(
      '/test was not sent: its command `rm a.txt` may not run. A rule forbids it.',
    );
    expect(world.asked).toEqual([]);
  });

  test('are cut in the middle when they print without end', async () => {
    world.outputLimit = 1_000;
    const text = await world.text(parseBraceTemplate('!{seq 1 100000}'));
    expect(text).toMatch(
      /^<untrusted_output>\n1\n2\n[\s\S]+… \d+ characters left out …[\s\S]+\n100000\n<\/untrusted_output>$/,
    );
    expect(text.length).toBeLessThan(1_200);
  });

  test('leave out what is no text', async () => {
    expect(await world.text(parseBraceTemplate("!{printf 'a\\0b'}"))).toBe('(binary output, left out)');
  });

  test('are stopped when they fall silent', async () => {
    const command = 'printf on; touch started; sleep 600';
    const text = world.text(parseBraceTemplate(`!{${command}}`));
    await untilStarted();
    expect(await world.clock.passUntil(text, 300_000)).toBe(
      `${printed('on')}\n[The command \`${command}\` was stopped: it printed nothing for 300 seconds]`,
    );
  });

  test('end with the whole when the user stops it', async () => {
    const filling = world.fill(parseBraceTemplate('!{touch started; sleep 600}'));
    await Promise.race([untilStarted(), filling]);
    world.abort.abort();
    await expect(filling).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('are not written where an argument could be looked into', async () => {
    const places = [
      ['cat <<EOF\n{{args}}\nEOF', 'comes after a here-document'],
      ["printf $'{{args}}'", "comes after $'"],
      ['echo `echo {{args}}`', 'comes after a backtick'],
      ['echo "${x:-{{args}}}"', 'is in a place where the shell evaluates quoted text'],
      ['echo $(( {{args}} ))', 'is in a place where the shell evaluates quoted text'],
      ['[[ {{args}} -eq 1 ]]', 'is in a place where the shell evaluates quoted text'],
      ['ls # {{args}}', 'comes after a comment'],
      ['echo \\{{args}}', 'comes directly after a backslash'],
      ['echo ${{args}}', 'comes directly after a dollar sign'],
      [
        'echo "$(case x in x) echo;; esac; echo {{args}})"',
        'is in a place where the shell evaluates quoted text',
      ],
    ] as const;
    for (const [command, why] of places) {
      expect(await world.text(parseBraceTemplate(`!{${command}}`), 'x')).toBe(
        `/test was not sent: an argument of its command ${why}, so the command did not run.`,
      );
    }
    expect(world.classified).toEqual([]);
  });
});

describe('an argument of a command', () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'\'"`$(){}[];&|<>\\!#*?~=%^ \n\t-a0'), maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }).filter(text => !text.includes('\0')),
  );

  /** What stands around it, and what bash makes of the whole; a substitution loses line ends at its end. */
  const contexts = [
    { before: '', after: '', seen: (text: string) => text },
    { before: 'x', after: 'y', seen: (text: string) => `x${text}y` },
    { before: '"', after: '"', seen: (text: string) => text },
    { before: "'a ", after: " b'", seen: (text: string) => `a ${text} b` },
    { before: '"x $(printf z) ', after: '"', seen: (text: string) => `x z ${text}` },
    { before: '"$(printf %s ', after: '.)"', seen: (text: string) => `${text}.` },
    { before: '"$(printf %s "', after: '.")"', seen: (text: string) => `${text}.` },
  ];

  test('reaches a real bash as one word, as it was typed, wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 7, maxLength: 7 }), async texts => {
        const lines = texts.map((text, index) => {
          const { before, after } = contexts[index]!;
          const start = `printf '%s\\0' ${before}`;
          const quoted = quoteArgument(text, start, 'linux');
          if (quoted.kind === 'refused') throw new Error(quoted.why());
          return `${start}${quoted.text}${after}`;
        });
        const out = execFileSync('bash', ['-c', lines.join('\n')], { cwd: world.folder, encoding: 'utf8' });
        const seen = texts.map((text, index) => contexts[index]!.seen(text));
        expect(out.split('\0').slice(0, -1)).toEqual(seen);
      }),
      { numRuns: runSize({ test: 8, prove: 1000 }) },
    );
    expect(await world.text(parseBraceTemplate('!{ls}'))).toBe(printed('a.txt'));
  });

  test('changes neither how many commands run nor which files are read', async () => {
    const dialects = [
      parseBraceTemplate('{{args}} !{printf %s {{args}}} @{a.txt} {{args}} !{printf "%s" "{{args}}"}'),
      parseMarkdownTemplate('$ARGUMENTS !`printf %s $ARGUMENTS` @a.txt $1 !`printf "%s" "$1"`'),
    ];
    const opening = ['!{touch x}', '!`touch x`', '@{a.txt}', '@a.txt', '{{args}}', '$ARGUMENTS', '$1', '!{'];
    const marks = fc.constantFrom(...opening, '}', '{', '`', "'", '"', '\n', ' ', 'a', '!', '@', '$');
    await fc.assert(
      fc.asyncProperty(
        fc.array(marks, { maxLength: 8 }),
        fc.constantFrom(...dialects),
        async (parts, dialect) => {
          world.classified.length = 0;
          const filled = await world.fill(dialect, parts.join('').trim());
          expect(world.classified.map(command => command.slice(0, 7))).toEqual(['printf ', 'printf ']);
          const files = filled.text.split('Content of a.txt:').length - 1 + filled.attachments.length;
          expect(files).toBe(1);
        },
      ),
      { numRuns: runSize({ test: 8, prove: 800 }) },
    );
    expect(await world.text(parseBraceTemplate('!{ls}'))).toBe(printed('a.txt'));
  });

  test('is quoted for PowerShell with every kind of quote doubled, and refused where that is not enough', () => {
    const quote = (text: string, before: string) => quoteArgument(text, before, 'win32');
    expect(quote("it's ‘x’ `$(a)", 'echo ')).toEqual({ kind: 'quoted', text: "'it''s ‘‘x’’ `$(a)'" });
    expect(quote('x', "echo 'a' ")).toMatchObject({ kind: 'quoted' });
    for (const before of ['echo "', "echo '", 'echo `', "@'\n", '# ', 'echo “']) {
      expect(quote('x', before)).toMatchObject({ kind: 'refused' });
    }
  });

  test('may not hold a NUL character', () => {
    const quoted = quoteArgument('a\0b', 'echo ', 'linux');
    expect(quoted.kind === 'refused' && quoted.why()).toBe('contains a NUL character');
  });
});

test.for([
  ['', []],
  ['a b', ['a', 'b']],
  ['  a\t\nb ', ['a', 'b']],
  ['"a b" c', ['a b', 'c']],
  ["'a b' c", ['a b', 'c']],
  ['--name="a b"', ['--name=a b']],
  ['a\\ b', ['a b']],
  ['"a \\"b\\""', ['a "b"']],
  ["it's", ["it's"]],
  ['"open', ['"open']],
  ['""', ['']],
  ['C:\\dir\\x', ['C:\\dir\\x']],
] as const)('words behind a name are those of a shell: %s', ([text, words]) => {
  expect(splitWords(text)).toEqual(words);
});
