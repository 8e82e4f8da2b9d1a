import { expect, test } from 'vitest';
import { readSources, type SourceFile } from '../support/sourceFiles.ts';

test('what a file exports is named in another one', async () => {
  const sources = (await Promise.all(['src', 'test', 'scripts'].map(readSources))).flat();
  // Only VS Code calls `deactivate` of extension.ts; this sentence names it.
  expect(findUnnamed(sources)).toEqual([]);
});

test('an export that stands alone is found, whatever it is', () => {
  const sources = [
    {
      path: 'src/a.ts',
      text: 'export const one = 1;\nexport async function two() {}\nexport interface Three {}\nexport abstract class Four {}\nexport type Five = Three;\nconst six = one;\n',
    },
    { path: 'test/b.ts', text: "import { one } from '../src/a.ts';\nexport const seven = one;\n" },
  ];
  expect(findUnnamed(sources)).toEqual([
    'src/a.ts: two',
    'src/a.ts: Three',
    'src/a.ts: Four',
    'src/a.ts: Five',
  ]);
});

/** By words, so that no compiler is needed: a name that two files have for two things is taken for one. */
function findUnnamed(sources: readonly SourceFile[]): readonly string[] {
  const words = new Map<string, number>();
  for (const { text } of sources)
    for (const word of new Set(text.match(/[\w$]+/g))) words.set(word, (words.get(word) ?? 0) + 1);
  return sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, text }) =>
      exportedNames(text)
        .filter(name => words.get(name) === 1)
        .map(name => `${path}: ${name}`),
    );
}

function exportedNames(text: string): readonly string[] {
  const declaration =
    /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm;
  return [...text.matchAll(declaration)].map(([, name]) => name!);
}
