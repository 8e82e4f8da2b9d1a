import { expect, test } from 'vitest';
import { readPromptLink } from '../../../src/extension/vscode/features/entryPoints/promptLink.ts';

test('a link brings the text of a prompt, with what belongs to addresses elsewhere', () => {
  expect(readPromptLink('/prompt', 'text=Fix a&b = c\nand @src/a.ts + 1')).toEqual({
    kind: 'prompt',
    text: 'Fix a&b = c\nand @src/a.ts + 1',
  });
});

test('plus signs are blanks where a form made the link', () => {
  const link = readPromptLink('/prompt', 'text=Fix+the+tests');
  expect(link).toEqual({ kind: 'prompt', text: 'Fix the tests' });
});

test('nothing that a user would not see comes by a link', () => {
  const text = 'Fix\u{202E}it\u{200B} \u{E0041}\u{7}';
  expect(readPromptLink('/prompt', `text=${text}`)).toEqual({
    kind: 'prompt',
    text: 'Fix\\u{202E}it\\u{200B} \\u{E0041}\\u{7}',
  });
});

test.each([
  ['/send', 'text=Hi', 'Folio does not support links to “/send”'],
  ['', '', 'Folio does not support links to “”'],
  ['/prompt', '', 'The link contains no prompt.'],
  ['/prompt', 'text=', 'The link contains no prompt.'],
  ['/prompt', 'text=  \n ', 'The link contains no prompt.'],
  ['/prompt', 'text= !rm -rf .', 'begins with “!”'],
  ['/prompt', 'prompt=Hi', 'The link contains no prompt.'],
  ['/prompt', `text=${'a'.repeat(10_001)}`, 'has 10001 characters'],
])('a link to %s with %s is refused in a sentence', (path, query, sentence) => {
  expect(readPromptLink(path, query)).toEqual({
    kind: 'refused',
    sentence: expect.stringContaining(sentence),
  });
});
