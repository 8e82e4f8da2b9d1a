import { describe, expect, test } from 'vitest';
import {
  codeSpan,
  demoteHeadings,
  escapeInline,
  fenceBlock,
  quoteBlock,
} from '../../../src/extension/core/export/markdownText.ts';

describe('headings of an answer', () => {
  test('go down by as many levels as ours take, and no further than six', () => {
    expect(demoteHeadings('# One\n\n## Two\n\n###### Six\n\n#hash', 2)).toBe(
      '### One\n\n#### Two\n\n###### Six\n\n#hash',
    );
  });

  test('that are underlined become headings with marks; rules and tables stay', () => {
    expect(demoteHeadings('One\n===\n\nTwo\n---\n\n---\n\n- item\n---\n', 1)).toBe(
      '## One\n\n### Two\n\n---\n\n- item\n---',
    );
    expect(demoteHeadings('| a |\n| --- |\n| b |', 1)).toBe('| a |\n| --- |\n| b |');
  });

  test('in code are none', () => {
    const code = '```sh\n# comment\n~~~\n# still\n```\n\n# Heading';
    expect(demoteHeadings(code, 1)).toBe(code.replace('\n# Heading', '\n## Heading'));
    expect(demoteHeadings('~~~\n# a\n```\n# b\n~~~\n# c', 1)).toBe('~~~\n# a\n```\n# b\n~~~\n## c');
  });

  test('a fence that an answer left open is closed, so that what follows is no code', () => {
    expect(demoteHeadings('So:\n````ts\nconst a = 1;\n```', 1)).toBe('So:\n````ts\nconst a = 1;\n```\n````');
  });
});

test('a fence is longer than any inside', () => {
  expect(fenceBlock('a\n````\nb\n', 'diff')).toBe('`````diff\na\n````\nb\n`````');
  expect(fenceBlock('plain')).toBe('```\nplain\n```');
});

test('code on a line keeps its backticks', () => {
  expect(codeSpan('npm test')).toBe('`npm test`');
  expect(codeSpan('echo `date`')).toBe('`` echo `date` ``');
});

test('a line cannot format, link, end itself or open a tag', () => {
  expect(escapeInline('**b** [a](x)\n# <img> a|b')).toBe('\\*\\*b\\*\\* \\[a\\](x) # \\<img\\> a\\|b');
  expect(escapeInline('read_file __init__ &amp; you & me')).toBe(
    'read_file \\_\\_init\\_\\_ \\&amp; you & me',
  );
});

test('a quote is quoted on each of its lines and cannot leave code open behind it', () => {
  expect(quoteBlock('a\n\n```\nb')).toBe('> a\n>\n> ```\n> b\n> ```');
});
