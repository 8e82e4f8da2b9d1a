import { describe, expect, test } from 'vitest';
import { intendedContent, withoutExtraEscaping } from '../../../src/extension/tools/edit/overEscaped.ts';
import { fc } from '../../support/properties.ts';

/** As a model sends it that escapes once too often. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const program = `import { a } from "./a.ts";\n\nexport function greet(name: string) {\n\treturn a(\`Hi \${name}\\n\`) + 'x';\n}\n`;
const python = `import re\n\ndef first(text):\n    """The first\n    word."""\n    return re.match("\\\\w+", text)[0]\n`;
const data = '{\n  "name": "box",\n  "path": "C:\\\\new",\n  "items": [1, 2]\n}\n';

describe('the content of a whole file that was escaped once too often', () => {
  test.each([
    ['a.ts', program],
    ['a.py', python],
    ['package.json', data],
    ['a.toml', '[tool]\nname = "box"\npath = \'C:\\new\'\n'],
    ['Main.java', 'class Main {\n  char c = \'\\n\'; // a "comment" {\n}\n'],
  ])('is known in %s, and becomes exactly what was meant', (path, text) => {
    expect(intendedContent(path, escaped(text), 'content')).toEqual({
      text,
      note: expect.stringContaining('content came escaped once too often'),
    });
    expect(intendedContent(path, text, 'content')).toEqual({ text });
  });

  test.each([
    ['a.js', 'const a = "x";\n\tconst b = 1;\n'],
    ['a.py', 'def first():\n\treturn "a"\n'],
  ])('is known in %s where line breaks and tabs alone were escaped', (path, text) => {
    const content = text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
    expect(intendedContent(path, content, 'content')).toMatchObject({ text });
  });

  test.each([
    ['a line break of its own', 'a.ts', `${escaped(program)}\n`],
    ['a bare quote', 'a.ts', 'const lines = "a\\nb";'],
    ['escapes in quotes alone', 'a.js', "const lines = 'a\\nb\\nc';"],
    ['escapes in a pattern', 'a.js', 'export const cut = (s) => s.split(/\\n/);'],
    ['JSON that is right', 'a.json', '"a\\nb\\nc"'],
    ['no escape', 'a.ts', 'const a = 1;'],
    ['what is no escape', 'a.py', 'a = b \\x'],
  ])('is not taken for that with %s', (_what, path, content) => {
    expect(intendedContent(path, content, 'content').text).toBe(content);
  });

  test.each([
    ['notes.md', '# Title\\n\\nOne line.\\n'],
    ['a.ts', '// A comment\\nconst a = 1;\\nconst b = 2;\\n'],
    ['a.sh', 'echo a\\necho b\\necho c'],
    ['a.ts', 'if (a) {\\n  b(\\n'],
  ])('is only doubted where %s may hold it as it is: %s', (path, content) => {
    expect(intendedContent(path, content, 'content')).toEqual({
      text: content,
      note: expect.stringContaining('If these were meant as line breaks'),
    });
  });
});

describe('an edit that was escaped once too often', () => {
  const search = 'export function greet(name: string) {\n\treturn a(`Hi ${name}\\n`)';

  test('is known by its search text, which stands in the file once without it', () => {
    const replacement = 'function greet() {\n  return "bye\\n"';
    const given = { search: escaped(search), replacement: escaped(replacement) };
    expect(withoutExtraEscaping(program, given)).toEqual({ search, replacement });
    expect(withoutExtraEscaping(program, { ...given, replacement: 'return "a";' })).toEqual({
      search,
      replacement: 'return "a";',
    });
  });

  test.each([
    ['the search text is there as given', 'a = "x\\n"', { search: 'x\\n', replacement: 'y' }],
    ['it is there twice without it', 'a\nb\na\nb', { search: 'a\\nb', replacement: 'c' }],
    ['it is not there either', 'a\nb', { search: 'a\\nc', replacement: 'c' }],
    ['only the search text could have been escaped', 'a\nb', { search: 'a\\nb', replacement: 'f("\\n")' }],
    ['nothing is escaped', 'a\nb', { search: 'a b', replacement: 'c' }],
  ])('is taken as given when %s', (_when, file, given) => {
    expect(withoutExtraEscaping(file, given)).toBeUndefined();
  });

  test('is put right for any texts, and never changes an edit that fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', "'", 'n', ' ') }),
        fc.string(),
        (part, to) => {
          const file = `<${part}>`;
          const given = { search: escaped(file), replacement: escaped(to) };
          const repaired = withoutExtraEscaping(file, given);
          if (given.search === file) expect(repaired).toBeUndefined();
          else expect(repaired).toEqual({ search: file, replacement: to });
          expect(withoutExtraEscaping(file, { search: file, replacement: to })).toBeUndefined();
        },
      ),
    );
  });
});
