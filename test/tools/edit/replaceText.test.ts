import { describe, expect, test } from 'vitest';
import { replaceText } from '../../../src/extension/tools/edit/replaceText.ts';
import { fc } from '../../support/properties.ts';

const once = (original: string, search: string, replacement: string) =>
  replaceText(original, { search, replacement, places: 1 });

function textOf(original: string, search: string, replacement: string, places: number | 'any' = 1): string {
  const result = replaceText(original, { search, replacement, places });
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.text : '';
}

function reasonOf(original: string, search: string, replacement: string, places: number | 'any' = 1): string {
  const result = replaceText(original, { search, replacement, places });
  expect(result).toMatchObject({ ok: false });
  return result.ok ? '' : result.reason;
}

describe('exact text', () => {
  test('is replaced once, signs with a meaning elsewhere are literal', () => {
    expect(textOf('a\nb\nc\n', 'b', "$& $1 $$ $` $'")).toBe("a\n$& $1 $$ $` $'\nc\n");
    expect(textOf('f(.*)\n', '(.*)', '[x]')).toBe('f[x]\n');
  });

  test('that stands in several places is refused with its lines, or replaced everywhere on demand', () => {
    const text = 'x = 1\ny = 2\nx = 1\n';
    expect(reasonOf(text, 'x = 1', 'x = 2')).toContain('matches 2 places, at lines 1, 3.');
    expect(replaceText(text, { search: 'x = 1', replacement: 'x = 2', places: 'any' })).toEqual({
      ok: true,
      text: 'x = 2\ny = 2\nx = 2\n',
      count: 2,
      kind: 'exact',
    });
  });

  test('that stands in another number of places than expected is refused with both', () => {
    const text = 'x = 1\ny = 2\nx = 1\n';
    expect(textOf(text, 'x = 1', 'x = 2', 2)).toBe('x = 2\ny = 2\nx = 2\n');
    expect(reasonOf(text, 'x = 1', 'x = 2', 3)).toMatch(
      /^old_string matches 2 places, at lines 1, 3, and not 3\./,
    );
    expect(reasonOf(text, 'y = 2', 'y = 3', 2)).toMatch(
      /^old_string matches 1 places?, at line 2, and not 2\./,
    );
  });

  test('of many places only the first are named', () => {
    expect(reasonOf('a\n'.repeat(30), 'a', 'b')).toContain('lines 1, 2, 3, 4, 5, 6, 7, 8 and 22 more');
  });

  test('wins over lenient ways, which therefore add no places', () => {
    expect(textOf('  foo()\nfoo()\n', '\nfoo()', '\nbar()')).toBe('  foo()\nbar()\n');
  });

  test('keeps the final line break, and a file without one', () => {
    expect(textOf('a\nb\n', 'b\n', 'c')).toBe('a\nc\n');
    expect(textOf('a\r\nb\r\n', 'b\r\n', 'c')).toBe('a\r\nc\r\n');
    expect(textOf('a\nb', 'b', 'c')).toBe('a\nc');
    expect(textOf('a\n', 'a\n', '')).toBe('');
  });
});

describe('line endings', () => {
  test('of the file are kept, whatever the model writes', () => {
    expect(textOf('a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n')).toBe('x\r\ny\r\nz\r\nc\r\n');
    expect(textOf('a\nb\n', 'a\r\nb\r\n', 'x\r\ny\r\n')).toBe('x\ny\n');
    expect(textOf('a\r\nb', 'b', 'b\nc')).toBe('a\r\nb\r\nc');
  });

  test('may be mixed: kept lines keep theirs, new lines take that of the line they replace', () => {
    const text = 'one\r\ntwo\nthree\r\nfour\nfive\r\n';
    expect(textOf(text, 'two\nthree\nfour', 'two\nTHREE\nand\nfour')).toBe(
      'one\r\ntwo\nTHREE\r\nand\r\nfour\nfive\r\n',
    );
    expect(textOf(text, 'four\n', 'four\nnew\n')).toBe('one\r\ntwo\nthree\r\nfour\nnew\nfive\r\n');
  });

  test('a lone carriage return is text', () => {
    expect(textOf('a\rb\r\nc\n', 'c', 'd')).toBe('a\rb\r\nd\n');
  });
});

describe('whitespace-flexible matching', () => {
  test('finds lines with another indentation and moves the new ones to it', () => {
    const text = 'class A {\n    run() {\n        go();\n    }\n}\n';
    const result = once(text, 'run() {\n  go();\n}', 'run() {\n  if (x) {\n    go();\n  }\n}');
    expect(result).toEqual({
      ok: true,
      text: 'class A {\n    run() {\n        if (x) {\n          go();\n        }\n    }\n}\n',
      count: 1,
      kind: 'whitespace',
    });
  });

  test('turns the spaces of the model into the tabs of the file', () => {
    const text = '\tif (a) {\n\t\tgo();\n\t}\n';
    expect(
      textOf(text, '  if (a) {\n    go();\n  }', '  if (a) {\n    while (b) {\n      go();\n    }\n  }'),
    ).toBe('\tif (a) {\n\t\twhile (b) {\n\t\t\tgo();\n\t\t}\n\t}\n');
  });

  test('removes whole lines when nothing comes in their place', () => {
    expect(textOf('a\n    b\n    c\nd\n', 'b\nc\n', '')).toBe('a\nd\n');
  });

  test('is as strict about a single place as exact matching', () => {
    const text = ' a = 1;\n b = 2;\n\n  a = 1;\n  b = 2;\n';
    expect(reasonOf(text, 'a = 1;\nb = 2;', 'c')).toContain('2 places, at lines 1, 4');
    expect(textOf(text, 'a = 1;\nb = 2;', 'c', 'any')).toBe(' c\n\n  c\n');
  });
});

describe('token-flexible matching', () => {
  test('finds whole lines that are spaced or broken otherwise', () => {
    const text = '  call( first,second );\n  next();\n';
    const result = once(text, 'call(\n  first,\n  second\n);', 'call(third);');
    expect(result).toEqual({ ok: true, text: '  call(third);\n  next();\n', count: 1, kind: 'tokens' });
  });

  test('never takes a part of a word or of a line', () => {
    expect(reasonOf('void  id = 1;\n', 'id  = 1;', 'x')).toContain('not in the file');
    expect(reasonOf('idle  (1)\n', 'id le (1)', 'x')).toContain('not in the file');
  });

  test('gives up on a repetitive file instead of blocking', () => {
    const text = `${'0,\n'.repeat(200_000)}1\n`;
    expect(once(text, `${'0 ,'.repeat(5000)}2`, 'x').ok).toBe(false);
  });
});

describe('similar text', () => {
  const text = [
    'export function total(lines: Line[]): number {',
    '  return lines.reduce((sum, line) => sum + line.amount, 0);',
    '}',
    '',
  ].join('\n');

  test('is replaced when few characters differ', () => {
    const search = text.replace('sum + line.amount', 'sum + line.amont').trimEnd();
    const result = once(text, search, 'export const total = 0;');
    expect(result).toEqual({ ok: true, text: 'export const total = 0;\n', count: 1, kind: 'similar' });
  });

  test('is refused when short, when too different, or when there are two', () => {
    expect(reasonOf('const a = 1;\n', 'const b = 1;', 'x')).toContain('not in the file');
    expect(reasonOf(text, text.replaceAll('line', 'record'), 'x')).toContain('not in the file');
    const twice = `${text}\n${text}`;
    const search = text.replace('amount', 'amont').trimEnd();
    expect(reasonOf(twice, search, 'x', 'any')).toContain('text like it starts at lines 1, 5');
  });

  test('is looked for within bounds in a large file', () => {
    const large = Array.from({ length: 20_000 }, (_, i) => `const value${i} = compute(${i}, 'text');`).join(
      '\n',
    );
    const search = Array.from({ length: 60 }, (_, i) => `const walue${i} = komputed(${i}, 'texts');`).join(
      '\n',
    );
    expect(once(large, search, 'x').ok).toBe(false);
  });
});

describe('text that is not there', () => {
  test('is answered with the nearest lines and the first that differs', () => {
    const text = 'function a() {\n  return compute(1, 2, 3);\n}\nother\n';
    const reason = reasonOf(text, 'function a() {\n  return somethingElse;\n}\n', 'x');
    expect(reason).toContain('1 | function a() {\n2 |   return compute(1, 2, 3);\n3 | }');
    expect(reason).toContain('Line 2 of old_string differs from line 2.');
  });

  test('is answered with a line that is alike when none is equal', () => {
    expect(
      reasonOf('x\nconst limit = readLimit(options);\ny\n', 'const limits = readLimits();', 'z'),
    ).toContain('2 | const limit = readLimit(options);');
  });

  test('says so when the new text is there already', () => {
    expect(
      reasonOf('a\nconst done = true;\n', 'const done = false; // soon', 'const done = true;'),
    ).toContain('new_string is already there, at line 2.');
  });

  test('says so when nothing is alike', () => {
    expect(reasonOf('x\n', 'completely different words', 'y')).toContain('No line of the file is like it.');
  });
});

describe('text with the numbers of a numbered result', () => {
  const text = 'function total(lines) {\n  return lines.length;\n}\n';

  test('is refused with the reason, and not taken for a text much like it', () => {
    const search = '1: function total(lines) {\n2:   return lines.length;\n3: }\n';
    const reason = reasonOf(text, search, '1: function total(lines) {\n2:   return 0;\n3: }\n');
    expect(reason).toContain(
      'They are not in the file, so nothing was changed: give both texts without them.',
    );
    expect(once(text, search, 'x')).not.toHaveProperty('isMissing');
  });

  test('is found where it stands in the file like that', () => {
    expect(textOf('1: one\n2: two\n', '2: two', '2: three')).toBe('1: one\n2: three\n');
  });
});

describe('no change', () => {
  test('is a failure that says so', () => {
    expect(reasonOf('a\n', 'a', 'a')).toContain('no change');
    expect(reasonOf('a\n', 'a\r\n', 'a\n')).toContain('no change');
    expect(reasonOf('  a b\n', 'a b ', 'a b')).toContain('no change');
  });
});

describe('for any text', () => {
  const mixedText = fc
    .array(fc.tuple(fc.constantFrom('a', 'bb', '', '  c', '\td', 'e f'), fc.constantFrom('\n', '\r\n')), {
      minLength: 1,
      maxLength: 12,
    })
    .map(lines => lines.map(([text, end]) => text + end).join(''));
  const marked = fc.constantFrom('<<one>>', '<<one>>\n  <<two>>', '<<one>>\n\n\t<<two>>');

  test('an exact replacement changes no byte outside of the matched region', () => {
    fc.assert(
      fc.property(
        mixedText,
        marked,
        mixedText,
        fc.constantFrom('new', 'new\nlines', ''),
        (head, mid, tail, to) => {
          const region = mid.replaceAll('\n', '\r\n');
          const result = textOf(head + region + tail, mid, to);
          expect(result.startsWith(head)).toBe(true);
          expect(result.endsWith(tail)).toBe(true);
          const changed = result.slice(head.length, result.length - tail.length);
          expect(changed.replaceAll('\r\n', '\n')).toBe(to);
        },
      ),
    );
  });

  test('a lenient replacement changes no byte outside of the matched lines', () => {
    fc.assert(
      fc.property(
        mixedText,
        marked,
        mixedText,
        fc.constantFrom('    ', '\t\t'),
        (head, mid, tail, indent) => {
          const lines = mid.split('\n').map(line => (line === '' ? '' : indent + line));
          const result = once(`${head}${lines.join('\n')}\n${tail}`, `   ${mid}`, 'new\nlines');
          expect(result).toMatchObject({ ok: true, count: 1 });
          if (!result.ok) return;
          expect(result.text.startsWith(head)).toBe(true);
          expect(result.text.endsWith(tail)).toBe(true);
          expect(result.text.slice(head.length, result.text.length - tail.length)).toMatch(
            /^\s*new\n\s*lines\n$/,
          );
        },
      ),
    );
  });

  test('looking for anything ends with an answer and never with the text of another place', () => {
    fc.assert(
      fc.property(
        mixedText,
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (text, search, to) => {
          if (search === '') return;
          const result = once(text, search, to);
          if (result.ok) expect(result.text).not.toBe(text);
          else expect(result.reason.length).toBeGreaterThan(10);
        },
      ),
    );
  });
});
