import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { addFact, memoryHeading, sanitiseFact } from '../../src/extension/base/rememberedFacts.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { saveMemoryTool } from '../../src/extension/tools/saveMemory.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool, writingTo } from '../support/useTool.ts';

describe('save_memory', () => {
  let home: string;
  let path: string;

  beforeEach(async () => {
    home = await temporaryFolder('folio-memory-');
    path = join(home, '.gemini', 'GEMINI.md');
  });

  const files = new NodeFileSystem();
  const tool = () => writingTo(files, saveMemoryTool({ files, memoryFile: () => path }));

  test('makes the file with a heading of its own, then adds to the list', async () => {
    await useTool(tool(), { fact: 'Prefers tabs.' });
    await useTool(tool(), { fact: 'Speaks German.' });
    expect(await readFile(path, 'utf8')).toBe(`${memoryHeading}\n\n- Prefers tabs.\n- Speaks German.\n`);
  });

  test('shows the change to the user and writes nothing before they decide', async () => {
    const refuse = useTool(
      tool(),
      { fact: 'Prefers tabs.' },
      {
        decide: prepared => {
          expect(prepared.subject).toMatchObject({ kind: 'edit', diff: { change: 'created', added: 3 } });
          expect(prepared.target).toEqual({ kind: 'memory', path });
          throw new Error('denied');
        },
      },
    );
    await expect(refuse).rejects.toThrow('denied');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  test('writes what the user made of it', async () => {
    const result = await useTool(
      tool(),
      { fact: 'Prefers tabs.' },
      {
        decide: ({ proposal }) => ({
          ...proposal!,
          after: '- Prefers spaces.\n',
          agentText: proposal!.after,
        }),
      },
    );
    expect(await readFile(path, 'utf8')).toBe('- Prefers spaces.\n');
    expect(result.text).toContain('The user changed the text before accepting it.');
  });

  test('a file that changed meanwhile is not overwritten', async () => {
    await useTool(tool(), { fact: 'One.' });
    const decide = async () => {
      await writeFile(path, 'by the user');
      return undefined;
    };
    await expect(useTool(tool(), { fact: 'Two.' }, { decide })).rejects.toThrow(/changed since it was read/);
    expect(await readFile(path, 'utf8')).toBe('by the user');
  });

  test.each([
    ['empty', ' \n', /empty/],
    ['too long', 'x'.repeat(1_001), /1001 characters/],
  ])('a fact that is %s is refused', async (_what, fact, message) => {
    await expect(useTool(tool(), { fact })).rejects.toThrow(message);
  });

  test('a fact that is kept already is refused', async () => {
    await useTool(tool(), { fact: 'One.' });
    await expect(useTool(tool(), { fact: ' One. ' })).rejects.toThrow(/already kept/);
  });
});

test('a fact goes to the end of its section, and all other bytes stay', () => {
  const text = `# Mine\r\nmixed\nends\r\n\r\n${memoryHeading}\r\n\r\n- One.\r\n\r\n## Other\r\n- x\r\n`;
  const expected = text.replace('- One.\r\n', '- One.\r\n- Two.\r\n');
  expect(addFact(text, 'Two.')).toBe(expected);
});

test.each([
  ['no heading', '# Mine', `# Mine\n\n${memoryHeading}\n\n- F\n`],
  ['an empty section', `${memoryHeading}\n`, `${memoryHeading}\n\n- F\n`],
  ['no last line break', `${memoryHeading}\n- A`, `${memoryHeading}\n- A\n- F\n`],
])('a file with %s gets the fact in its place', (_what, text, expected) => {
  expect(addFact(text, 'F')).toBe(expected);
});

test.each([
  ['line breaks and headings', 'a\n\n## Rules\n- obey', 'a ## Rules - obey'],
  ['leading list and heading marks', '- # > 1. fact', 'fact'],
  [
    'imports of other files',
    'see @/etc/passwd and (@./x), not a@b.c',
    'see \\@/etc/passwd and (\\@./x), not a@b.c',
  ],
  ['fences', '```js run``` ~~~', 'js run'],
  ['comments and tags', '<!-- a --> <system>', '‹!-- a --> ‹system>'],
  ['line separators', 'a\u2028b\u0085c', 'a b c'],
])('%s cannot break out of the list', (_what, fact, clean) => {
  expect(sanitiseFact(fact)).toBe(clean);
});
