import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';
import { findImports, readSources, resolveImport, type SourceFile } from '../support/sourceFiles.ts';

/** Rooms that still import each other in a circle. The list only ever gets shorter. */
const notYetFree: readonly string[] = [
  'src/extension',
  'src/extension/compose',
  'src/extension/headless',
  'src/extension/headless/acp',
];

/** A folder with more files wants rooms that a reader would look for. */
const mostFiles = 25;

test('no folder imports another that imports it, however far around', async () => {
  const files = await readSources('src');
  const offences = findCircles(foldersOf(files)).filter(circle => !circle.every(isExcused));
  expect(offences.flatMap(circle => importsWithin(circle, files))).toEqual([]);
});

test('a folder that is free of circles is not excused', async () => {
  const circles = findCircles(foldersOf(await readSources('src'))).flat();
  expect(notYetFree.filter(folder => !circles.includes(folder))).toEqual([]);
});

test('no folder has more files than a reader looks through', async () => {
  const folders = (await readSources('src')).map(({ path }) => dirname(path));
  const halls = [...new Set(folders)].filter(
    folder => folders.filter(each => each === folder).length > mostFiles,
  );
  expect(halls).toEqual([]);
});

test('a circle is found over any number of folders', () => {
  const file = (path: string, ...imports: string[]) => ({
    path,
    text: imports.map(each => `import '${each}';`).join('\n'),
  });
  const files = [
    file('a/one.ts', '../b/two.ts', './other.ts'),
    file('b/two.ts', '../c/three.ts', 'zod'),
    file('c/three.ts', '../a/other.ts'),
    file('d/four.ts', '../a/one.ts'),
  ];
  expect(findCircles(foldersOf(files))).toEqual([['a', 'b', 'c']]);
  expect(importsWithin(['a', 'b', 'c'], files)).toEqual([
    'a/one.ts imports b/two.ts',
    'b/two.ts imports c/three.ts',
    'c/three.ts imports a/other.ts',
  ]);
  expect(findCircles(foldersOf(files.slice(1)))).toEqual([]);
});

test('a folder inside of another is one of its own, and a type that is imported counts', () => {
  const files = [
    { path: 'a/top.ts', text: "import { low } from './inner/low.ts';" },
    { path: 'a/inner/low.ts', text: "import type { Base } from '../base.ts';" },
  ];
  expect(findCircles(foldersOf(files))).toEqual([['a', 'a/inner']]);
});

function isExcused(folder: string): boolean {
  return notYetFree.includes(folder);
}

type Folders = ReadonlyMap<string, ReadonlySet<string>>;

/** Which other folders each folder imports from. */
function foldersOf(files: readonly SourceFile[]): Folders {
  const folders = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const imports = findImports(text).filter(specifier => specifier.startsWith('.'));
    const targets = folders.get(dirname(path)) ?? new Set();
    for (const specifier of imports) targets.add(dirname(resolveImport(path, specifier)));
    targets.delete(dirname(path));
    folders.set(dirname(path), targets);
  }
  return folders;
}

/** What makes a circle, by the names of files. */
function importsWithin(circle: readonly string[], files: readonly SourceFile[]): readonly string[] {
  const within = files.filter(({ path }) => circle.includes(dirname(path)));
  return within.flatMap(({ path, text }) =>
    findImports(text)
      .filter(specifier => specifier.startsWith('.'))
      .map(specifier => resolveImport(path, specifier))
      .filter(target => dirname(target) !== dirname(path) && circle.includes(dirname(target)))
      .map(target => `${path} imports ${target}`),
  );
}

/** Folders that reach each other belong to one circle. */
function findCircles(folders: Folders): readonly (readonly string[])[] {
  const reached = new Map([...folders.keys()].map(folder => [folder, reachedFrom(folder, folders)]));
  const circles = new Map<string, readonly string[]>();
  for (const [folder, there] of reached) {
    const circle = [...there].filter(each => reached.get(each)?.has(folder)).toSorted();
    if (circle.length > 1) circles.set(circle[0]!, circle);
  }
  return [...circles.values()];
}

function reachedFrom(start: string, folders: Folders): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of folders.get(folder) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}
