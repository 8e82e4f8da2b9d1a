import { readdir, readFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export const repositoryRoot = resolve(import.meta.dirname, '..', '..');

/** A file by its path from the repository's root. */
export async function readText(path: string): Promise<string> {
  return await readFile(join(repositoryRoot, path), 'utf8');
}

/** All TypeScript below a folder of the repository. */
export async function readSources(folder: string): Promise<readonly SourceFile[]> {
  const root = join(repositoryRoot, folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && /\.(ts|tsx)$/.test(entry.name));
  return await Promise.all(
    files.map(async entry => {
      const absolute = join(entry.parentPath, entry.name);
      const path = absolute.slice(repositoryRoot.length + 1).replaceAll('\\', '/');
      return { path, text: await readFile(absolute, 'utf8') };
    }),
  );
}

/** What a file imports and exports from, types and dynamic imports too, as written. */
export function findImports(text: string): readonly string[] {
  const forms = [
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ];
  return forms.flatMap(form => [...text.matchAll(form)].map(match => match[1]!));
}

/** The file that a relative import names, from the repository's root. */
export function resolveImport(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}
