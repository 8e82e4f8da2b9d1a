import { afterEach, expect, test } from 'vitest';
import { languageTag, plural, setLanguage, t } from '../../src/protocol/language.ts';

const files = 'one: {0} file of {1} | other: {0} files of {1}';

afterEach(() => setLanguage({ tag: 'en', catalog: {} }));

test('a message without a language is English', () => {
  expect(languageTag()).toBe('en');
  expect(t('Open {0} at {1}', 'a.ts', 3)).toBe('Open a.ts at 3');
  expect([0, 1, 1200].map(count => plural(count, files, 'src'))).toEqual([
    '0 files of src',
    '1 file of src',
    '1,200 files of src',
  ]);
});

test('a message is said in the words, the order and the forms of its language', () => {
  setLanguage({
    tag: 'pl',
    catalog: {
      'Move {0} to {1}': 'do {1}: {0}',
      [files]: 'one: {0} plik z {1} | few: {0} pliki z {1} | many: {0} plików z {1} | other: {0} pliku z {1}',
    },
  });
  expect(t('Move {0} to {1}', 'a', 'b')).toBe('do b: a');
  expect([1, 2, 5].map(count => plural(count, files, 'src'))).toEqual([
    '1 plik z src',
    '2 pliki z src',
    '5 plików z src',
  ]);
});

test('what a language lacks stays English, with the forms of English', () => {
  setLanguage({ tag: 'zh-cn', catalog: {} });
  expect(t('Open {0}', '{1}')).toBe('Open {1}');
  expect(plural(1, files, 'src')).toBe('1 file of src');
});
