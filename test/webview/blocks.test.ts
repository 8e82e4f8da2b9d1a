import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import { iterate } from '../../src/protocol/pagedList.ts';
import { advanceBlocks, type Blocks, noBlocks } from '../../src/webview/transcript/answer/blocks.ts';
import { fc } from '../support/properties.ts';

function split(source: string): readonly string[] {
  const blocks: string[] = [];
  for (const token of new Lexer({ gfm: true }).blockTokens(source, [])) {
    if (token.type === 'space' && blocks.length > 0) blocks[blocks.length - 1] += token.raw;
    else blocks.push(token.raw);
  }
  return blocks;
}

function stream(pieces: readonly string[]): Blocks {
  let text = '';
  let blocks = noBlocks;
  for (const piece of pieces) {
    text += piece;
    blocks = advanceBlocks(blocks, text, split);
  }
  return blocks;
}

const doneOf = (blocks: Blocks) => [...iterate(blocks.done)].map(({ markdown }) => markdown);
const sourceOf = (blocks: Blocks) => doneOf(blocks).join('') + blocks.rest;

test('no character is lost or doubled, however an answer is cut into pieces', () => {
  const line = fc.constantFrom('word', '# head', '- item', '  more', '```', '> quote', '', '1. one', '| a |');
  const text = fc.array(line, { maxLength: 40 }).map(lines => lines.join('\n'));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (answer, size) => {
      const pieces = answer.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(sourceOf(stream(pieces))).toBe(answer);
    }),
  );
});

test('a done block is the same string afterwards', () => {
  const before = stream(['# One\n\nTwo\n\n', 'Thr']);
  const after = advanceBlocks(before, '# One\n\nTwo\n\nThree and more', split);
  expect(doneOf(before)).toEqual(['# One\n\n', 'Two\n\n']);
  expect(after.done).toBe(before.done);
  expect(after.rest).toBe('Three and more');
});

test('a code block that grows without end is cut at a line and continues as code of the same language', () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `const value${index} = ${index};\n`);
  const blocks = stream(['```ts\n', ...lines]);
  const parts = [...doneOf(blocks), blocks.rest];
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.startsWith('```ts\n')).toBe(true);
  const code = parts.map(part => part.replace(/^```ts\n/, '').replace(/```$/, '')).join('');
  expect(code).toBe(lines.join(''));

  const closed = advanceBlocks(blocks, `\`\`\`ts\n${lines.join('')}\`\`\`\n\nAfter.`, split);
  expect(closed.rest).toBe('After.');
});

test('a paragraph that grows without end is cut and loses nothing', () => {
  const words = Array.from({ length: 900 }, (_, index) => `some words of a long paragraph ${index} `);
  const blocks = stream(words);
  expect(blocks.done.length).toBeGreaterThan(0);
  expect(sourceOf(blocks)).toBe(words.join(''));
});

test('an answer that began again is parsed again', () => {
  const blocks = stream(['First try.\n\nMore.\n\nEnd']);
  expect(sourceOf(advanceBlocks(blocks, 'Second', split))).toBe('Second');
});
