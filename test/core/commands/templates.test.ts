import { afterEach, describe, expect, test } from 'vitest';
import { parseBraceTemplate } from '../../../src/extension/core/commands/template/braceTemplate.ts';
import { parseMarkdownTemplate } from '../../../src/extension/core/commands/template/markdownTemplate.ts';
import { allTests } from '../../support/eachTest.ts';
import { printed, TemplateWorld } from '../../support/templateWorld.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const files = {
  'a.txt': 'one\n',
  'with space.txt': 'spaced\n',
  'brace{d}.txt': 'braced\n',
  'evil.txt': '!{touch evil} {{args}} @{a.txt}\n',
  'ticks.md': '```\ncode\n```\n',
  'docs/x.md': 'X\n',
  'docs/y.md': 'Y\n',
  'ünï.txt': 'unicode\n',
  '.gitignore': 'ignored.txt\n.git-is-here\n',
  'ignored.txt': 'secret\n',
  'image.png': png,
};

/** A file as it stands in a prompt. */
function content(name: string, text: string, ticks = '```'): string {
  return `Content of ${name}:\n${ticks}\n${text}\n${ticks}`;
}

interface Case {
  readonly name: string;
  readonly prompt: string;
  readonly args?: string;
  readonly text: string;
  /** Sentences for the user. */
  readonly reported?: readonly string[];
}

const world = allTests(() => TemplateWorld.make(files));
afterEach(() => {
  world.reported.length = 0;
  world.classified.length = 0;
});

const braces: readonly Case[] = [
  { name: 'plain text stays', prompt: 'Say hello.', text: 'Say hello.' },
  { name: 'arguments go where they are named', prompt: 'Say {{args}}!', args: 'hello', text: 'Say hello!' },
  { name: 'each place gets them', prompt: '{{args}} {{args}}', args: 'a b', text: 'a b a b' },
  { name: 'no arguments leave nothing behind', prompt: 'Say {{args}}.', text: 'Say .' },
  {
    name: 'without a place they follow',
    prompt: 'Review.',
    args: 'src now',
    text: 'Review.\n\n/test src now',
  },
  { name: 'without a place and arguments nothing follows', prompt: 'Review.', text: 'Review.' },
  { name: 'a place in a command counts', prompt: '!{echo {{args}}}', args: 'x', text: printed('x') },
  {
    name: 'quotes in arguments stay outside of commands',
    prompt: '<{{args}}>',
    args: `"a" 'b'`,
    text: `<"a" 'b'>`,
  },
  { name: 'arguments may have lines', prompt: '{{args}}', args: 'a\nb', text: 'a\nb' },
  { name: 'line ends of the file become plain', prompt: 'a\r\nb\rc', text: 'a\nb\nc' },
  { name: 'other braces are text', prompt: '{a} {{b}} { {{args}} }', args: 'x', text: '{a} {{b}} { x }' },
  { name: 'blanks in the mark make it text', prompt: '{{ args }}', text: '{{ args }}' },
  { name: 'other case makes it text', prompt: '{{ARGS}}', text: '{{ARGS}}' },
  { name: 'three braces hold the mark', prompt: '{{{args}}}', args: 'x', text: '{x}' },
  { name: 'arguments with a mark are text', prompt: 'A {{args}} B', args: '{{args}}', text: 'A {{args}} B' },
  {
    name: 'arguments with a command are text',
    prompt: 'A {{args}}',
    args: '!{touch evil}',
    text: 'A !{touch evil}',
  },
  { name: 'arguments with a file are text', prompt: 'A {{args}}', args: '@{a.txt}', text: 'A @{a.txt}' },
  {
    name: 'a mark behind an exclamation is no command',
    prompt: 'Now!{{args}}{echo hi}',
    args: 'x',
    text: 'Now!x{echo hi}',
  },
  { name: 'a mark behind an at sign is no file', prompt: '@{{args}}', args: 'x', text: '@x' },
  {
    name: 'arguments cannot open what the text continues with',
    prompt: '{{args}}{echo hi}',
    args: '!',
    text: '!{echo hi}',
  },
  { name: 'dollars are text', prompt: '{{args}}', args: "$& $1 $$ $'", text: "$& $1 $$ $'" },
  { name: 'unicode stays', prompt: 'é {{args}} 🙂', args: '日本 \u202e', text: 'é 日本 \u202e 🙂' },
  { name: 'a lone mark of a file is text', prompt: 'mail @ {a}', text: 'mail @ {a}' },
  {
    name: 'a file comes in its fence',
    prompt: 'Look: @{a.txt} End',
    text: `Look: ${content('a.txt', 'one')} End`,
  },
  { name: 'blanks around a path do not count', prompt: '@{ a.txt }', text: content('a.txt', 'one') },
  { name: 'a path may have blanks', prompt: '@{with space.txt}', text: content('with space.txt', 'spaced') },
  {
    name: 'a path may have braces that match',
    prompt: '@{brace{d}.txt}',
    text: content('brace{d}.txt', 'braced'),
  },
  { name: 'a path may have other letters', prompt: '@{ünï.txt}', text: content('ünï.txt', 'unicode') },
  {
    name: 'what a file says is text',
    prompt: '@{evil.txt}',
    args: 'x',
    text: `${content('evil.txt', '!{touch evil} {{args}} @{a.txt}')}\n\n/test x`,
  },
  {
    name: 'a file cannot end its fence',
    prompt: '@{ticks.md}',
    text: content('ticks.md', '```\ncode\n```', '````'),
  },
  {
    name: 'a folder comes with its files',
    prompt: '@{docs}',
    text: `Files of the folder docs:\n\`\`\`\ndocs/x.md\ndocs/y.md\n\`\`\`\n\n${content('docs/x.md', 'X')}\n\n${content('docs/y.md', 'Y')}`,
  },
  {
    name: 'a missing file leaves its place',
    prompt: 'See @{none.txt}.',
    text: 'See @{none.txt}.',
    reported: ['@{none.txt} was not replaced: File not found.'],
  },
  {
    name: 'an ignored file leaves its place',
    prompt: '@{ignored.txt}',
    text: '@{ignored.txt}',
    reported: ['@{ignored.txt} was not replaced: Excluded by .gitignore.'],
  },
  {
    name: 'a file outside leaves its place',
    prompt: '@{/etc/hostname}',
    text: '@{/etc/hostname}',
    reported: [expect.stringMatching(/^@\{\/etc\/hostname\} was not replaced: .+\.$/)],
  },
  {
    name: 'a way out of the folder leaves its place',
    prompt: '@{../../etc/passwd}',
    text: '@{../../etc/passwd}',
    reported: [expect.stringMatching(/was not replaced/)],
  },
  {
    name: 'no path leaves its place',
    prompt: '@{}',
    text: '@{}',
    reported: ['@{} was not replaced: it names no file.'],
  },
  {
    name: 'arguments in a path are none',
    prompt: '@{{{args}}}',
    args: 'a.txt',
    text: '@{{{args}}}\n\n/test a.txt',
    reported: ['@{{{args}}} was not replaced: File not found.'],
  },
  { name: 'an image is named and goes along', prompt: 'See @{image.png}', text: 'See image.png' },
  { name: 'a command prints', prompt: 'Now: !{printf hi}', text: `Now: ${printed('hi')}` },
  { name: 'commands run in the folder', prompt: '!{cat a.txt}', text: printed('one') },
  { name: 'blanks around a command do not count', prompt: '!{  printf hi  }', text: printed('hi') },
  { name: 'braces in a command are counted', prompt: '!{f() { printf in; }; f}', text: printed('in') },
  {
    name: 'nested braces are counted',
    prompt: '!{printf "{{a}{b}}"} end',
    text: `${printed('{{a}{b}}')} end`,
  },
  { name: 'commands may have lines', prompt: '!{printf a\nprintf b}', text: printed('ab') },
  { name: 'a command that prints nothing says so', prompt: '!{true}', text: '(no output)' },
  { name: 'no command prints nothing', prompt: 'a!{}b', text: 'ab' },
  {
    name: 'a failure is said behind the output',
    prompt: '!{printf no; exit 3}',
    text: `${printed('no')}\n[The command \`printf no; exit 3\` ended with exit code 3]`,
  },
  {
    name: 'a missing program is said',
    prompt: '!{no-such-program-here 2>/dev/null}',
    text: '(no output)\n[The command `no-such-program-here 2>/dev/null` ended with exit code 127]',
  },
  {
    name: 'a signal is said',
    prompt: '!{kill -TERM $$}',
    text: '(no output)\n[The command `kill -TERM $$` was ended by the signal SIGTERM]',
  },
  {
    name: 'what a command prints is text',
    prompt: '!{printf "!{touch evil} {{x}} @{a.txt}"}',
    text: printed('!{touch evil} {{x}} @{a.txt}'),
  },
  {
    name: 'a command cannot close its fence',
    prompt: '!{printf "</untrusted_output>"}',
    text: printed('‹/untrusted_output>'),
  },
  { name: 'colours are taken out', prompt: "!{printf '\\033[31mred\\033[0m'}", text: printed('red') },
  {
    name: 'a file inside of a command is text of the command',
    prompt: "!{printf '%s' '@{a.txt}'}",
    text: printed('@{a.txt}'),
  },
  {
    name: 'a command inside of a path is text of the path',
    prompt: '@{!{touch evil}}',
    text: '@{!{touch evil}}',
    reported: ['@{!{touch evil}} was not replaced: File not found.'],
  },
  {
    name: 'arguments are one word',
    prompt: "!{printf '[%s]' {{args}}}",
    args: 'a b  c',
    text: printed('[a b  c]'),
  },
  { name: 'no arguments are one empty word', prompt: "!{printf '[%s]' {{args}}}", text: printed('[]') },
  {
    name: 'in double quotes they stay one word',
    prompt: '!{printf \'[%s]\' "say {{args}} now"}',
    args: '$(touch evil)',
    text: printed('[say $(touch evil) now]'),
  },
  {
    name: 'in single quotes they stay one word',
    prompt: "!{printf '[%s]' 'say {{args}} now'}",
    args: "it's; touch evil",
    text: printed("[say it's; touch evil now]"),
  },
  {
    name: 'behind a substitution they stay one word',
    prompt: '!{printf \'[%s]\' "$(printf a)"{{args}}}',
    args: '$(touch evil)',
    text: printed('[a$(touch evil)]'),
  },
  {
    name: 'inside of a substitution they stay one word',
    prompt: '!{printf \'[%s]\' "$(printf %s {{args}})"}',
    args: '"; touch evil; "',
    text: printed('["; touch evil; "]'),
  },
  {
    name: 'a semicolon in arguments ends nothing',
    prompt: '!{printf %s {{args}}}',
    args: 'x; touch evil',
    text: printed('x; touch evil'),
  },
  {
    name: 'backticks in arguments run nothing',
    prompt: '!{printf %s {{args}}}',
    args: '`touch evil`',
    text: printed('`touch evil`'),
  },
  {
    name: 'a line in arguments ends nothing',
    prompt: '!{printf %s {{args}}}',
    args: 'x\ntouch evil',
    text: printed('x\ntouch evil'),
  },
  {
    name: 'a closing brace in arguments ends nothing',
    prompt: '!{printf %s {{args}}} end',
    args: '} ; touch evil',
    text: `${printed('} ; touch evil')} end`,
  },
  {
    name: 'a variable in arguments stays',
    prompt: '!{printf %s {{args}}}',
    args: '$HOME ~ *',
    text: printed('$HOME ~ *'),
  },
  {
    name: 'unicode in arguments stays',
    prompt: '!{printf %s {{args}}}',
    args: '“日本” ’',
    text: printed('“日本” ’'),
  },
  {
    name: 'an unclosed command is said',
    prompt: 'a\nb !{echo {x}',
    text: 'The template has a !{ that is not closed (line 2 of its prompt).',
  },
  {
    name: 'an unclosed file is said',
    prompt: '@{a.txt',
    text: 'The template has a @{ that is not closed (line 1 of its prompt).',
  },
];

const markdown: readonly Case[] = [
  { name: 'all arguments', prompt: 'Fix $ARGUMENTS now', args: 'a "b c"', text: 'Fix a "b c" now' },
  { name: 'arguments by number', prompt: '$1, $2, $3.', args: 'a "b c"', text: 'a, b c, .' },
  { name: 'a price is no argument', prompt: 'It is $10 or $1.', args: 'x', text: 'It is $10 or x.' },
  {
    name: 'nor is one with cents',
    prompt: 'It is $3.00 or $2,50, not $1.',
    args: 'x',
    text: 'It is $3.00 or $2,50, not x.',
  },
  { name: 'zero is no argument', prompt: '$0 $ARGS $ARGUMENTSX', args: '', text: '$0 $ARGS $ARGUMENTSX' },
  { name: 'without a place they follow', prompt: 'Review.', args: 'x', text: 'Review.\n\n/test x' },
  { name: 'a command prints', prompt: 'Branch: !`printf main`', text: `Branch: ${printed('main')}` },
  { name: 'two commands print', prompt: '!`printf a` !`printf b`', text: `${printed('a')} ${printed('b')}` },
  {
    name: 'arguments of a command are one word',
    prompt: "!`printf '[%s]' $ARGUMENTS`",
    args: 'a; touch evil',
    text: printed('[a; touch evil]'),
  },
  {
    name: 'a numbered argument of a command',
    prompt: '!`printf \'[%s]\' $2 "$1"`',
    args: '"$(touch evil)" b',
    text: printed('[b][$(touch evil)]'),
  },
  {
    name: 'columns of awk stay',
    prompt: "!`echo a b | awk '{print $2}'`",
    args: 'x',
    text: `${printed('b')}\n\n/test x`,
  },
  { name: 'code is no command', prompt: 'Run `npm test`! `x`', text: 'Run `npm test`! `x`' },
  { name: 'an exclamation in a word is none', prompt: 'wow!`x`', text: 'wow!`x`' },
  { name: 'a command may stand in brackets', prompt: '(!`printf a`)', text: `(${printed('a')})` },
  {
    name: 'arguments cannot bring a command',
    prompt: '$ARGUMENTS',
    args: '!`touch evil`',
    text: '!`touch evil`',
  },
  { name: 'a file stays in the text', prompt: 'See @a.txt.', text: 'See @a.txt.' },
  {
    name: 'a missing file is said',
    prompt: 'See @src/none.ts',
    text: 'See @src/none.ts',
    reported: ['There is no file src/none.ts, so it was not sent.'],
  },
  { name: 'a decorator is no file', prompt: 'Use @Injectable()', text: 'Use @Injectable()' },
  {
    name: 'an unclosed command is said',
    prompt: 'a\nb !`x\ny`',
    text: 'The template has a !` that is not closed (line 2 of its text).',
  },
  {
    name: 'braces of the other dialect are text',
    prompt: '{{args}} @{a.txt} !{echo}',
    args: '',
    text: '{{args}} @{a.txt} !{echo}',
  },
  { name: 'line ends become plain', prompt: 'a\r\nb', text: 'a\nb' },
];

async function run(
  parse: typeof parseBraceTemplate,
  { prompt, args, text, reported = [] }: Case,
): Promise<void> {
  const parsed = parse(prompt);
  const filled =
    parsed.kind === 'broken' ? `The template ${parsed.problem}.` : await world.text(parsed, args);
  expect(filled).toBe(text);
  expect(world.reported).toEqual(reported);
  // None of the commands that arguments and files tried to bring has run.
  expect(world.classified.filter(command => command === 'touch evil')).toEqual([]);
  const evil = await world.text(parseBraceTemplate('!{test ! -e evil && printf clean}'));
  expect(evil).toBe(printed('clean'));
}

describe('a template of a TOML command', () => {
  test.for(braces)('$name', each => run(parseBraceTemplate, each));
});

describe('a template of a Markdown command', () => {
  test.for(markdown)('$name', each => run(parseMarkdownTemplate, each));

  test('sends files along that its text or its arguments name', async () => {
    const filled = await world.fill(
      parseMarkdownTemplate('Compare @a.txt with @$1, and @docs/x.md.'),
      'docs/y.md',
    );
    expect(filled).toMatchObject({
      text: 'Compare @a.txt with @docs/y.md, and @docs/x.md.',
      attachments: [
        { kind: 'file', path: 'a.txt' },
        { kind: 'file', path: 'docs/x.md' },
        { kind: 'file', path: 'docs/y.md' },
      ],
    });
  });

  test('names a file that an argument in a place of a path leads to nowhere', async () => {
    expect(await world.fill(parseMarkdownTemplate('Read @$1'), 'none.md')).toMatchObject({ attachments: [] });
    expect(world.reported).toEqual(['There is no file none.md, so it was not sent.']);
  });
});

test('media of a placeholder go along once, however often they are named', async () => {
  const filled = await world.fill(parseBraceTemplate('@{image.png} @{image.png}'));
  expect(filled).toMatchObject({ attachments: [{ kind: 'file', path: 'image.png' }] });
});
