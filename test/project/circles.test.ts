import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';
import { findImports, readSources, resolveImport, type SourceFile } from '../support/sourceFiles.ts';

/** Files that import each other, and why none of them can do without the others. */
const knownCircles = [
  {
    reason:
      'a command of bash may hold a whole script, so the walk over one kind of node leads to all others',
    files: [
      'src/extension/shell/bash/embedded.ts',
      'src/extension/shell/bash/hereDocument.ts',
      'src/extension/shell/bash/redirections.ts',
      'src/extension/shell/bash/simpleCommand.ts',
      'src/extension/shell/bash/walk.ts',
    ],
  },
  {
    reason: 'a conversation runs turns, and a turn works on the conversation as a whole',
    files: ['src/extension/core/conversation/conversation.ts', 'src/extension/core/conversation/turn.ts'],
  },
];

/** A folder with more files wants rooms that a reader would look for. */
const maxFiles = 25;

test('no folder imports another that imports it, however far around', async () => {
  const files = await readSources('src');
  const circles = findCircles(foldersOf(files));
  expect(circles.flatMap(circle => importsWithin(circle, files))).toEqual([]);
});

test('no file imports another that imports it, unless the circle is named with a reason', async () => {
  const circles = findCircles(importsOf(await readSources('src')));
  const known = knownCircles.map(({ files }) => files);
  expect(circles.toSorted(byFirst)).toEqual(known.toSorted(byFirst));
});

test('no folder has more files than a reader looks through', async () => {
  const folders = (await readSources('src')).map(({ path }) => dirname(path));
  const halls = [...new Set(folders)].filter(
    folder => folders.filter(each => each === folder).length > maxFiles,
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

test('a circle of files in one folder is found, too', () => {
  const files = [
    { path: 'a/one.ts', text: "import { two } from './two.ts';" },
    { path: 'a/two.ts', text: "import type { One } from './one.ts';" },
    { path: 'a/three.ts', text: "import { one } from './one.ts';" },
  ];
  expect(findCircles(importsOf(files))).toEqual([['a/one.ts', 'a/two.ts']]);
});

test('a folder inside of another is one of its own, and a type that is imported counts', () => {
  const files = [
    { path: 'a/top.ts', text: "import { low } from './inner/low.ts';" },
    { path: 'a/inner/low.ts', text: "import type { Base } from '../base.ts';" },
  ];
  expect(findCircles(foldersOf(files))).toEqual([['a', 'a/inner']]);
});

function byFirst([first = '']: readonly string[], [second = '']: readonly string[]): number {
  return first < second ? -1 : 1;
}

/** What each file, or each folder, imports. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

function importsOf(files: readonly SourceFile[]): Imports {
  return new Map(files.map(({ path, text }) => [path, new Set(importedBy(path, text))]));
}

/** Which other folders each folder imports from. */
function foldersOf(files: readonly SourceFile[]): Imports {
  const folders = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const targets = folders.get(dirname(path)) ?? new Set();
    for (const target of importedBy(path, text)) targets.add(dirname(target));
    targets.delete(dirname(path));
    folders.set(dirname(path), targets);
  }
  return folders;
}

/** Files of the project; packages are left out. */
function importedBy(path: string, text: string): readonly string[] {
  const specifiers = findImports(text).filter(specifier => specifier.startsWith('.'));
  return specifiers.map(specifier => resolveImport(path, specifier));
}

/** What makes a circle, by the names of files. */
function importsWithin(circle: readonly string[], files: readonly SourceFile[]): readonly string[] {
  const within = files.filter(({ path }) => circle.includes(dirname(path)));
  return within.flatMap(({ path, text }) =>
    importedBy(path, text)
      .filter(target => dirname(target) !== dirname(path) && circle.includes(dirname(target)))
      .map(target => `${path} imports ${target}`),
  );
}

/** What reaches each other belongs to one circle. */
function findCircles(imports: Imports): readonly (readonly string[])[] {
  const reached = new Map([...imports.keys()].map(each => [each, reachedFrom(each, imports)]));
  const circles = new Map<string, readonly string[]>();
  for (const [start, there] of reached) {
    const circle = [...there].filter(each => reached.get(each)?.has(start)).toSorted();
    if (circle.length > 1) circles.set(circle[0]!, circle);
  }
  return [...circles.values()];
}

function reachedFrom(start: string, imports: Imports): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const next of imports.get(each) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}
