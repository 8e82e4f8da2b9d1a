import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';
import { findImports, readSources, resolveImport, type SourceFile } from '../support/sourceFiles.ts';

/** Rooms that still import each other in a circle. The list only ever gets shorter. */
const notYetFree: readonly string[] = [
  'src/extension',
  'src/extension/compose',
  'src/extension/core/agents',
  'src/extension/core/calls',
  'src/extension/core/context/compression',
  'src/extension/core/conversation',
  'src/extension/core/foreign',
  'src/extension/core/hooks',
  'src/extension/core/prompt',
  'src/extension/core/routing',
  'src/extension/core/session',
  'src/extension/headless',
  'src/extension/headless/acp',
  'src/extension/mcp',
  'src/extension/mcp/connection',
  'src/extension/mcp/tools',
  'src/extension/models',
  'src/extension/models/gemini',
  'src/extension/models/openai',
  'src/extension/models/vertex',
  'src/extension/shell',
  'src/extension/shell/bash',
  'src/extension/shell/judge',
  'src/extension/shell/powershell',
];

test('no folder imports another that imports it, however far around', async () => {
  const circles = findCircles(foldersOf(await readSources('src'))).flat();
  expect(circles.filter(folder => !notYetFree.includes(folder))).toEqual([]);
});

test('a folder that is free of circles is not excused', async () => {
  const circles = findCircles(foldersOf(await readSources('src'))).flat();
  expect(notYetFree.filter(folder => !circles.includes(folder))).toEqual([]);
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
  expect(findCircles(foldersOf(files.slice(1)))).toEqual([]);
});

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
