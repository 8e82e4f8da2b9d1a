import { describe, expect, it } from 'vitest';
import { TextLoopDetector } from '../../../src/extension/core/loops/textLoopDetector.ts';
import { anyCharacter, fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { ordinaryTexts } from './ordinaryTexts.ts';

function read(text: string): TextLoopDetector {
  const loops = new TextLoopDetector();
  loops.add(text);
  return loops;
}

const sentence = 'Let me look at the file once more to see what is wrong. ';

const loopingTexts: readonly (readonly [name: string, period: string])[] = [
  ['one sentence', sentence],
  ['one sentence a line', `${sentence.trim()}\n`],
  ['one sentence a paragraph', `${sentence.trim()}\n\n`],
  ['two words', 'I will. '],
  ['one letter', 'a'],
  ['one exclamation', '!'],
  ['a zero', '0'],
  ['line breaks', '\n'],
  ['dashes without end', '-'],
  ['a row of a table without end', '|---'],
  [
    'a paragraph',
    `${sentence}Then I will change it, run the tests and tell how they went. It may take a while. `,
  ],
  [
    'a longer paragraph',
    `${'abcdefghij klmnop '.repeat(3)}${sentence}${'zyxwv utsrq '.repeat(6)}`.slice(0, 240),
  ],
  ['bold prose', '**Wait.** I should check that again before I continue with this.\n'],
  ['quoted prose', '"I think that this is the right file," said the agent to nobody.\n'],
  ['code in a line', '`npm test` fails for the same reason as it did before, so I run it.\n'],
  ['emoji', '🔧 Fixing the import of the module once more, as it is still broken.\n'],
  ['another script', '让我再看一遍这个文件,看看到底是哪里出了问题,然后再修改它。'],
  ['carriage returns', `${sentence.trim()}\r\n`],
  ['a number that is no list', '404 is what the server answers, so I have to try that again now.\n'],
];

describe('an answer that repeats itself', () => {
  it.each(loopingTexts)('is found: %s', (_name, period) => {
    const loops = read(period.repeat(Math.ceil(6000 / period.length)));
    expect(loops.found).toBeDefined();
  });

  it.each(loopingTexts)('is found behind ordinary text: %s', (_name, period) => {
    const before =
      'I have read the module. The cause is the cache.\n\n- It is never emptied.\n\nSo this is the plan.\n';
    expect(read(before + period.repeat(Math.ceil(6000 / period.length))).found).toBeDefined();
  });

  it('is found at the tenth return of a long chunk and not before', () => {
    const period = `${sentence}${sentence.toUpperCase()}`;
    expect(read(period.repeat(9)).found).toBeUndefined();
    expect(read(period.repeat(10)).found).toBeDefined();
  });

  it('says what comes again and from where on', () => {
    const before = 'The cause is the cache.\n\n';
    const { found } = read(before + sentence.repeat(30));
    expect(found?.text).toHaveLength(sentence.length);
    expect(sentence.repeat(2)).toContain(found?.text);
    expect(Math.abs(found!.from - before.length)).toBeLessThan(2 * sentence.length);
  });

  it('is found although two or three variants take turns', () => {
    const variants = ['first', 'second', 'third'].map(
      word => `${sentence}This is the ${word} attempt at it. `,
    );
    const text = Array.from({ length: 30 }, (_, n) => variants[(n * n) % 3]).join('');
    expect(read(text).found).toBeDefined();
  });

  it('is not found when each return brings something new', () => {
    const text = Array.from({ length: 60 }, (_, n) => `${sentence}Now it is attempt ${n}. `).join('');
    expect(read(text).found).toBeUndefined();
  });

  it('is not found when returns are more than 250 characters apart', () => {
    const wide = Array.from({ length: 60 }, (_, n) => `word${n}x`)
      .join(' ')
      .slice(0, 251);
    expect(read(wide.repeat(15)).found).toBeUndefined();
    expect(read(wide.slice(0, 250).repeat(15)).found).toBeDefined();
  });

  it('is found after a code block that was closed', () => {
    expect(read(`\`\`\`ts\nconst a = 1;\n\`\`\`\n${sentence.repeat(20)}`).found).toBeDefined();
    expect(read(`   ~~~~\nx\n  ~~~\n  ~~~~~  \n${sentence.repeat(20)}`).found).toBeDefined();
    expect(read(`\`\`\`not a block\`\`\`\n${sentence.repeat(20)}`).found).toBeDefined();
  });

  it('counts again after a list, a heading or a call in between', () => {
    const half = `${sentence.repeat(6)}\n`;
    for (const between of [
      '- item\n',
      '## Part\n',
      '> said\n',
      '***\n',
      '| a |\n',
      '```\n```\n',
      '12. twelfth\n',
    ]) {
      expect(read(half + between + half).found, between).toBeUndefined();
    }
    const loops = read(half);
    loops.reset();
    expect(loops.add(half)).toBeUndefined();
    expect(loops.add(half)).toBeDefined();
  });
});

describe('ordinary repetition', () => {
  it('has many kinds', () => {
    expect(ordinaryTexts.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ordinaryTexts.map(([name]) => name)).size).toBe(ordinaryTexts.length);
  });

  it.each(ordinaryTexts)('raises no alarm: %s', (_name, text) => {
    expect(read(text).found).toBeUndefined();
  });

  it('raises no alarm in one answer that has all of it', () => {
    expect(
      read(
        ordinaryTexts
          .filter(([name]) => !name.includes('not closed'))
          .map(([, text]) => text)
          .join('\n\n'),
      ).found,
    ).toBeUndefined();
  });
});

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      sentence,
      'I will. ',
      '\n',
      '\n\n',
      '- item\n',
      '```\n',
      '~~~',
      '| a | b |\n',
      '# Head\n',
      '1. ',
      '  ',
      '>',
      '***',
      '0',
      '\r\n',
      '!',
    ),
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc
      .tuple(fc.string({ minLength: 1, maxLength: 80 }), fc.integer({ min: 1, max: 40 }))
      .map(([text, count]) => text.repeat(count)),
  ),
  { maxLength: 40 },
);

describe('for all answers', () => {
  it('it makes no difference how deltas cut them', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (parts, sizes) => {
        const text = parts.join('');
        const cut = new TextLoopDetector();
        for (let from = 0, n = 0; from < text.length; n++) {
          const size = sizes[n % sizes.length]!;
          cut.add(text.slice(from, from + size));
          from += size;
        }
        expect(cut.found).toEqual(read(text).found);
        const single = new TextLoopDetector();
        for (let index = 0; index < text.length; index++) single.add(text[index]!);
        expect(single.found).toEqual(cut.found);
      }),
      { numRuns: runSize({ test: 100, prove: 10_000 }) },
    );
  });

  it('prose of up to 250 characters is found when it comes 30 times, however it reads', () => {
    const prose = fc.stringMatching(/^[a-z][a-z ,.;:'()0-9]{59,248}$/);
    fc.assert(
      fc.property(prose, period => {
        expect(read(period.repeat(30)).found).toBeDefined();
      }),
    );
  });

  it('numbered prose is never an alarm', () => {
    const prose = fc.stringMatching(/^[a-z][a-z ,.;:'()]{0,150}$/);
    fc.assert(
      fc.property(prose, fc.integer({ min: 0, max: 1000 }), (line, first) => {
        const text = Array.from({ length: 80 }, (_, n) => `Part ${first + n}: ${line}`).join('\n');
        // A line of one letter in endless repetition is a loop automatically.
        if (read(line).found) return;
        expect(read(text).found).toBeUndefined();
      }),
    );
  });

  it.each([
    [
      'different words',
      '',
      (n: number) => `Word ${n} of a long answer, and ${n * 7919} more words come behind it.\n`,
    ],
    ['chunks that return with something new between', '', (n: number) => `${sentence}${n} `],
    ['tables', '', (n: number) => `| ${n} | ${n} |\n`],
    ['punctuation', '', () => `${'.'.repeat(900)}\n`],
    ['ticks', '', () => `${'`'.repeat(900)}x\n`],
    ['a block that is never closed', '```\n', () => 'the very same line in a block of code\n'],
  ])('cost grows with the length alone: %s', (_name, opening, line) => {
    for (const count of [1000, 8000]) {
      const loops = new TextLoopDetector();
      loops.add(opening);
      let length = opening.length;
      for (let n = 0; n < count; n++) {
        const text = line(n);
        loops.add(text);
        length += text.length;
      }
      expect(loops.found).toBeUndefined();
      expect(loops.scans).toBeLessThanOrEqual(length * 10);
    }
  });
});
