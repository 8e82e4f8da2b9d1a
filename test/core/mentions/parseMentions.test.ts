import { describe, expect, test } from 'vitest';
import { formatMention } from '../../../src/extension/core/mentions/formatMention.ts';
import { parseMentions } from '../../../src/extension/core/mentions/parseMentions.ts';
import { fc } from '../../support/properties.ts';

/** The shortest readings, with lines behind them, and what is no path by its kind. */
function named(text: string): readonly string[] {
  return parseMentions(text).map(thing => {
    switch (thing.kind) {
      case 'path': {
        const { path, lines } = thing.readings.at(-1)!;
        return lines ? `${path} ${lines.first}-${lines.last}` : path;
      }
      case 'symbol':
        return `symbol ${thing.name}`;
      case 'url':
        return `url ${thing.url}`;
      default:
        return thing.kind;
    }
  });
}

describe('what a prompt names', () => {
  test.each([
    ['Look at @src/invoice.ts and @docs/', ['src/invoice.ts', 'docs/']],
    ['@README.md', ['README.md']],
    ['Fix (@src/a.ts), please', ['src/a.ts']],
    ['see @src/a.ts.', ['src/a.ts']],
    ['see @src/a.ts: it fails', ['src/a.ts']],
    ['is it @src/a.ts?', ['src/a.ts']],
    ['@src/a.ts,@src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['@"my notes/to do.md" now', ['my notes/to do.md']],
    ['@my\\ notes/to\\ do.md now', ['my notes/to do.md']],
    ['@src\\invoice.ts', ['src\\invoice.ts']],
    ['@src/a.ts:10-20', ['src/a.ts 10-20']],
    ['@src/a.ts:10', ['src/a.ts 10-10']],
    ['@src/a.ts:10:5', ['src/a.ts 10-10']],
    ['@src/a.ts:10-20.', ['src/a.ts 10-20']],
    ['@"a b.ts":3-4', ['a b.ts 3-4']],
    ['@symbol:Invoice.total and @#tax', ['symbol Invoice.total', 'symbol tax']],
    ['@problems, @terminal and @diff.', ['problems', 'terminal', 'diff']],
    ['@problems/today.md', ['problems/today.md']],
    ['read @https://example.org/a(b)?c=d#e.', ['url https://example.org/a(b)?c=d#e']],
    ['(@https://example.org/a)', ['url https://example.org/a']],
    ['看@src/a.ts。', ['src/a.ts']],
    ['@src/a.ts twice @src/a.ts', ['src/a.ts']],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test.each([
    'mail ada@example.org or a.b+c@example.org',
    'npm i left-pad@1.2.3',
    'echo "$@"',
    'an \\@escaped.ts one',
    'in code `@src/a.ts` and\n```ts\n@Component.ts\n```\n',
    'an open fence\n```\n@src/a.ts',
    '@Injectable() class A',
    'a lone @ and @, and @@',
    '@https://',
  ])('nothing in: %s', text => {
    expect(parseMentions(text).filter(thing => thing.kind !== 'path' || thing.deliberate)).toEqual([]);
  });

  test.each([
    ['@types/node', false],
    ['@angular/core', false],
    ['@Override', false],
    ['@2.0.1', false],
    ['@media', false],
    ['@pytest.fixture', false],
    ['@app.get("/")', false],
    ['@src/a.ts(12,5)', true],
    ['@src', false],
    ['@src/', true],
    ['@./src', true],
    ['@../other', true],
    ['@invoice.ts', true],
    ['@.env.local', true],
    ['@src/lib/deep', true],
    ['@"src"', true],
    ['@Makefile:3', true],
  ])('%s is surely meant as a path: %s', (text, deliberate) => {
    expect(parseMentions(text)).toMatchObject([{ kind: 'path', deliberate }]);
  });

  test('a path with brackets is tried whole before it is cut at them', () => {
    const [thing] = parseMentions('open @app/(shop)/[id]/page.tsx, then stop');
    expect(thing?.kind === 'path' && thing.readings.map(({ path }) => path)).toEqual([
      'app/(shop)/[id]/page.tsx,',
      'app/(shop)/[id]/page.tsx',
      'app/',
    ]);
  });

  test.each(['/', '+/', '$'])('%s, which is signs alone, is written so that it is read as a path', path => {
    expect(parseMentions(`See ${formatMention(path)}.`)).toMatchObject([
      { kind: 'path', readings: [{ path }] },
    ]);
  });

  test('what completion writes is read back as the same path, wherever it stands', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
    const paths = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map(names => names.join('/'))
      .filter(path => !/[\p{Cc}\u2028\u2029]/u.test(path));
    fc.assert(
      fc.property(paths, fc.constantFrom('', ' ', '. Then', ', and', ')', '?'), (path, after) => {
        const [thing] = parseMentions(`See ${formatMention(path)}${after}`);
        expect(thing?.kind === 'path' && thing.readings.map(reading => reading.path)).toContain(path);
      }),
    );
  });

  test('never takes more than the text holds, whatever it is', () => {
    const texts = fc.string({
      unit: fc.constantFrom('@', '"', '\\', '(', ':', '1', '-', 'a', '/', '.', ' ', '`', '\n', '#'),
    });
    fc.assert(
      fc.property(texts, text => {
        for (const thing of parseMentions(text)) {
          for (const { text: written } of thing.kind === 'path' ? thing.readings : [thing]) {
            expect(text).toContain(written);
          }
        }
      }),
    );
  });
});
