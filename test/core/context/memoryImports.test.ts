import { describe, expect, test } from 'vitest';
import { codeRanges } from '../../../src/extension/core/context/codeRanges.ts';
import { readMemory } from '../../../src/extension/core/context/memory.ts';
import { memoryLimit } from '../../../src/extension/core/context/memoryImports.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const place = {
  home: '/home/ada/.gemini',
  names: ['GEMINI.md', 'AGENTS.md'],
  folders: ['/a'],
  extra: [],
  trusted: true,
};

const read = (files: MemoryFileSystem) => readMemory(files, place);
const textOf = async (text: string, others: Readonly<Record<string, string>> = {}) =>
  (await read(new MemoryFileSystem({ ...others, '/a/GEMINI.md': text }))).blocks[0]?.text;

describe('imports of memory files', () => {
  test('bring in a file in the place where it is named, relative to the file that names it', async () => {
    const others = { '/a/docs/style.md': 'Tabs.\nSee @more/names.md.', '/a/docs/more/names.md': 'Nouns.' };
    expect(await textOf('Begin @docs/style.md, end', others)).toBe(
      [
        'Begin @docs/style.md',
        '[begin of docs/style.md]',
        'Tabs.',
        'See @more/names.md',
        '[begin of docs/more/names.md]',
        'Nouns.',
        '[end of docs/more/names.md]',
        '.',
        '[end of docs/style.md]',
        ', end',
      ].join('\n'),
    );
  });

  test('may be absolute or go up, inside of the project', async () => {
    const text = await textOf('@/a/x.md @./d/../y.md', { '/a/x.md': 'one', '/a/y.md': 'two' });
    expect(text).toContain('one');
    expect(text).toContain('two');
  });

  test('are left alone in code and in words that are no paths', async () => {
    const others = { '/a/x.md': 'IMPORTED' };
    const text = [
      'Ask @ada or a@x.md, `see @x.md` and ``a ` @x.md``.',
      '```',
      '@x.md',
      '```',
      '- ~~~ts',
      '  @x.md',
      '  ~~~',
      '\\@x.md',
    ].join('\n');
    expect(await textOf(text, others)).toBe(text);
  });

  test('bring in no file that may hold secrets', async () => {
    const text = await textOf('@./.env @keys/server.pem', {
      '/a/.env': 'K=SECRET',
      '/a/keys/server.pem': 'SECRET',
    });
    expect(text).not.toContain('SECRET');
    expect(text).toContain('(not imported: it may hold secrets)');
  });

  test('that cannot be had leave a short note', async () => {
    const text = await textOf('@none.md\n@https://example.org/a.md\n@../b/x.md\n@sub/\n', {
      '/b/x.md': 'SECRET',
      '/a/sub/y': '',
    });
    expect(text).toBe(
      [
        '@none.md (not imported: there is no such file)',
        '@https://example.org/a.md (not imported: addresses are not read)',
        '@../b/x.md (not imported: it lies outside of the folder that may be imported from)',
        '@sub/ (not imported: it is no file)',
        '',
      ].join('\n'),
    );
  });

  test('in a circle end', async () => {
    const text = await textOf('root @x.md', { '/a/x.md': 'x @y.md', '/a/y.md': 'y @x.md @GEMINI.md' });
    expect(text?.match(/included already/g)).toHaveLength(2);
    expect(text).not.toContain('begin of GEMINI.md');
  });

  test('go five levels deep', async () => {
    const others = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map(n => [`/a/${n}.md`, `level-${n} @./${n + 1}.md`]),
    );
    const text = await textOf('@./1.md', others);
    expect(text).toContain('level-5');
    expect(text).not.toContain('level-6');
    expect(text).toContain('@./6.md (not imported: more than 5 levels deep)');
  });

  test('and files of their own right are taken in once', async () => {
    const files = new MemoryFileSystem({ '/a/GEMINI.md': '@AGENTS.md', '/a/AGENTS.md': 'agents' });
    const { blocks, loaded } = await read(files);
    expect(blocks.map(block => block.path)).toEqual(['/a/GEMINI.md']);
    expect(loaded).toEqual(new Set(['/a/GEMINI.md', '/a/AGENTS.md']));
  });

  test('are bounded all together', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/a/${n}.md`, 'x'.repeat(1000)]));
    const text = await textOf(
      Object.keys(many)
        .map(path => `@${path}`)
        .join('\n'),
      many,
    );
    expect(text?.match(/x/g)?.length).toBe(memoryLimit);
    expect(text).toContain('(not imported: the limit for imports is reached)');
  });

  test("of the user's own file stay in their folder", async () => {
    const files = new MemoryFileSystem({
      '/home/ada/.gemini/GEMINI.md': '@style.md @../.ssh/id @/a/x.md',
      '/home/ada/.gemini/style.md': 'mine',
      '/home/ada/.ssh/id': 'SECRET',
      '/a/x.md': 'PROJECT',
    });
    const text = (await read(files)).blocks[0]?.text;
    expect(text).toContain('mine');
    expect(text).not.toMatch(/SECRET|PROJECT/);
  });

  test("of a project do not reach into the user's folder", async () => {
    const text = await textOf('@/home/ada/.gemini/oauth.json', { '/home/ada/.gemini/oauth.json': 'SECRET' });
    expect(text).not.toContain('SECRET');
  });

  test('never escape, whatever they name and whichever links are there', async () => {
    const segment = fc.constantFrom('..', '.', 'a', 'b', 'in', 'out', 'up', 'secret.md', 'x.md', '/', '~');
    const path = fc.array(segment, { minLength: 1, maxLength: 8 }).map(parts => parts.join('/'));
    const start = fc.constantFrom('', './', '../', '/', '/a/', '/b/');
    const target = fc.tuple(start, path).map(([head, rest]) => head + rest);
    let imported = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(target, { maxLength: 20 }),
        fc.array(target, { maxLength: 5 }),
        async (root, inner) => {
          const files = new MemoryFileSystem({
            '/a/GEMINI.md': root.map(one => `@${one}`).join('\n'),
            '/a/x.md': `INSIDE ${inner.map(one => `@${one}`).join('\n')}`,
            '/a/in/x.md': 'INSIDE',
            '/b/x.md': 'ESCAPED',
            '/b/secret.md': 'ESCAPED',
            '/x.md': 'ESCAPED',
            '/secret.md': 'ESCAPED',
          });
          files.symlink('/b', '/a/out');
          files.symlink('..', '/a/in/up');
          files.symlink('/b/secret.md', '/a/secret.md');
          files.symlink('../../b/x.md', '/a/in/b');
          const { blocks, loaded } = await read(files);
          const text = blocks.map(block => block.text).join('\n');
          expect(text).not.toContain('ESCAPED');
          for (const real of loaded) expect(real).toMatch(/^\/a\//);
          if (text.includes('INSIDE')) imported += 1;
        },
      ),
      {
        numRuns: runSize({ test: 200, prove: 5000 }),
        examples: [
          [
            ['./x.md', 'out/x.md', 'in/up/../b/x.md', 'in/b'],
            ['in/x.md', '../b/x.md'],
          ],
        ],
      },
    );
    expect(imported).toBeGreaterThan(0);
  });
});

test('ranges of code cover what is between marks and lie in order without overlap', () => {
  const piece = fc.constantFrom('`', '``', '```', '~~~', '\n', '\n\n', 'word ', '  ', '> ', '- ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
      const text = pieces.join('');
      let end = 0;
      for (const range of codeRanges(text)) {
        expect(range.start).toBeGreaterThanOrEqual(end);
        expect(range.end).toBeGreaterThan(range.start);
        expect(range.end).toBeLessThanOrEqual(text.length);
        expect(text.slice(range.start, range.end)).toMatch(/[`~]/);
        end = range.end;
      }
    }),
  );
});
