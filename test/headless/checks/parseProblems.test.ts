import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../../src/extension/headless/checks/parseProblems.ts';

const parse = (text: string) => parseProblems({ text, folder: '/w', path: '/w/src/a.ts' });

describe('what a check printed', () => {
  test.each([
    ['src/a.ts:3:7: error: no such name', 'error', 'no such name'],
    ['/w/src/a.ts:3: warning: never used', 'warning', 'never used'],
    ['src/a.ts(3,7): error TS2304: Cannot find name.', 'error', 'TS2304: Cannot find name.'],
    ['src/a.ts:3:7 - error TS2304: Cannot find name.', 'error', 'TS2304: Cannot find name.'],
    ['/w/src/a.ts\n  3:7  error  Missing semicolon  semi\n', 'error', 'Missing semicolon  semi'],
    ['src/a.ts:3:7: E999 SyntaxError', 'error', 'E999 SyntaxError'],
  ])('is a problem at a line of the file: %s', (text, severity, message) => {
    expect(parse(text)).toEqual([{ severity, line: 3, message }]);
  });

  test('about another file keeps that file’s name and has no line of this one', () => {
    expect(parse('src/b.ts:9:1: error: no such name')).toEqual([
      { severity: 'error', message: 'src/b.ts:9: no such name' },
    ]);
  });

  test('around places (headings, sums, drawings) is left out', () => {
    const text = 'Checking…\nsrc/a.ts:3:7: error: wrong\n  3 | foo(\n    |    ^\nFound 1 error.\n';
    expect(parse(text)).toEqual([{ severity: 'error', line: 3, message: 'wrong' }]);
  });

  test('without any place is told line by line', () => {
    expect(parse('Something is wrong.\n\n  ----\nwarning: and this\n')).toEqual([
      { severity: 'error', message: 'Something is wrong.' },
      { severity: 'warning', message: 'warning: and this' },
    ]);
  });

  test('with a time or an address in it is no place', () => {
    expect(parse('at 12:30 it broke\nhttp://localhost:80 refused')).toEqual([
      { severity: 'error', message: 'at 12:30 it broke' },
      { severity: 'error', message: 'http://localhost:80 refused' },
    ]);
  });
});
