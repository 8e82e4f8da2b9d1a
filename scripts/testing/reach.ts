/*
 * Finds the tests that a change can affect. A file depends on its imports, on files named by its string literals, on
 * its set-up files, and, if it uses dist/, on the sources of the bundles:
 *
 *   changed file ◄── imports, names, is built from ── … ◄── test file
 */

import { posix } from 'node:path';
import { findImports, resolveImport, type SourceFile } from '../../test/support/sourceFiles.ts';

/** Entries from which paths below dist/ are built. */
const builtFrom: ReadonlyMap<string, readonly string[]> = new Map([
  ['dist/headless.cjs', ['src/extension/headless.ts']],
  ['dist', ['src/extension/extension.ts', 'src/extension/headless.ts', 'src/webview/main.tsx']],
]);

/** Set-up files of vitest by folder, which tests do not import. */
const setUpBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['test/panel/', ['test/panel/globalSetup.ts', 'test/support/chromiumSetup.ts']],
  ['test/workbench/', ['test/workbench/support/globalSetup.ts', 'test/support/chromiumSetup.ts']],
]);

/** Files that affect every build or test. */
const common = /^(package(-lock)?\.json|esbuild\.mjs|[^/]*tsconfig\.json|vitest[^/]*\.ts|\.npmrc)$/;

const testFile = /^test\/.*\.(test|spec)\.tsx?$/;

/**
 * Returns the sorted test files that a change of these files can affect, or `everything` if unknown. Paths are relative
 * to the repository.
 */
export function findReachedTests(
  sources: readonly SourceFile[],
  changed: readonly string[],
): readonly string[] | 'everything' {
  if (changed.some(path => common.test(path))) return 'everything';
  const dependents = findDependents(sources, changed);
  const reached = new Set(changed);
  for (const path of reached) {
    for (const dependent of dependents.get(path) ?? []) reached.add(dependent);
  }
  return [...reached].filter(path => testFile.test(path)).sort();
}

/** Returns the direct dependents of each file. */
function findDependents(
  sources: readonly SourceFile[],
  changed: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set([...sources.map(({ path }) => path), ...changed]);
  const dependents = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const needed of findNeeded(path, text, known)) {
      if (!dependents.has(needed)) dependents.set(needed, new Set());
      dependents.get(needed)!.add(path);
    }
  }
  return dependents;
}

function findNeeded(path: string, text: string, known: ReadonlySet<string>): readonly string[] {
  const imports = findImports(text)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => resolveImport(path, specifier));
  if (!path.startsWith('test/') && !path.startsWith('scripts/')) return imports;
  const folders = [...text.matchAll(/\breadSources\(\s*'([^']+)'/g)].map(match => `${match[1]!}/`);
  const inFolders = [...known].filter(each => folders.some(folder => each.startsWith(folder)));
  const setUp = [...setUpBy].flatMap(([folder, files]) =>
    testFile.test(path) && path.startsWith(folder) ? files : [],
  );
  return [...imports, ...inFolders, ...setUp, ...findNamed(path, text, known)];
}

/** Finds files named by string literals: by path or base name, relative to the file or the root. */
function findNamed(path: string, text: string, known: ReadonlySet<string>): readonly string[] {
  const named: string[] = [];
  const literals = new Set([...text.matchAll(/['"`]([\w@./-]+)['"`]/g)].map(match => match[1]!));
  for (const literal of literals) {
    for (const candidate of [literal, posix.join(posix.dirname(path), literal)]) {
      const clean = posix.normalize(candidate).replace(/\/$/, '');
      if (known.has(clean)) named.push(clean);
      named.push(...(builtFrom.get(clean) ?? []));
    }
  }
  // Pages and pictures are often named by base name or folder only.
  for (const each of known) {
    if (/\.tsx?$/.test(each)) continue;
    if (literals.has(posix.basename(each)) || literals.has(posix.dirname(each))) named.push(each);
  }
  return named;
}
