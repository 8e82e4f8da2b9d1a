/*
 * Expands imports: `@path` in an instruction file stands for another file. Depth, number and characters are limited,
 * each file is included once, and real paths must stay in the importing file's folder scope.
 */

import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { headOf } from '../../base/text.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import { folderContains } from '../folderPaths.ts';
import { findProtection } from '../protectedPaths.ts';
import { codeRanges } from './codeRanges.ts';

interface ImportScope {
  readonly files: Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;
  /** Real path of the folder that contains all imports. */
  readonly root: string;
  /** Real paths already loaded; imports are added. */
  readonly loaded: Set<string>;
  /** Complete texts by real path; cut files are missing. */
  readonly whole: Map<string, string>;
  /** Shared by all imports, and reduced by each. */
  readonly budget: { characters: number; attempts: number };
}

interface ImportingFile {
  /** Real. */
  readonly path: string;
  readonly text: string;
}

/** Characters of one file, and again of all its imports. Every request carries them. */
export const memoryLimit = 16_000;

const deepestImport = 5;

/** Larger files are not meant for a model. */
const sizeLimit = 1024 * 1024;

/** Returns the text with its imports. A failed import stays in the text, with a short note. Never rejects. */
export function expandImports(scope: ImportScope, file: ImportingFile): Promise<string> {
  return expand(scope, { ...file, text: cutTo(file.text, memoryLimit) }, 1);
}

async function expand(scope: ImportScope, { path, text }: ImportingFile, depth: number): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const { start, target } of findImports(text)) {
    const after = start + 1 + target.length;
    parts.push(text.slice(end, after), await importText(scope, dirname(path), target, depth));
    end = after;
  }
  return parts.join('') + text.slice(end);
}

interface Mention {
  /** Index of the `@`. */
  readonly start: number;
  readonly target: string;
}

/** Finds words outside of code that begin with `@` and look like a path. */
function findImports(text: string): readonly Mention[] {
  const code = codeRanges(text);
  const found: Mention[] = [];
  for (const match of text.matchAll(/(?<!\S)@([./\p{L}]\S*)/gu)) {
    const start = match.index;
    if (code.some(range => range.start <= start && start < range.end)) continue;
    found.push({ start, target: match[1]!.replace(/[.,;:!?)\]}'"*_>]+$/, '') });
  }
  return found.filter(({ target }) => target !== '');
}

/** The text after the mention. */
async function importText(
  scope: ImportScope,
  folder: string,
  target: string,
  depth: number,
): Promise<string> {
  const result = await readImport(scope, folder, target, depth);
  switch (result.kind) {
    case 'unmeant':
      return '';
    case 'refused':
      return ` (not imported: ${result.reason})`;
    case 'read': {
      const text = await expand(scope, result.file, depth + 1);
      const shown = relative(scope.root, result.file.path).split(sep).join('/');
      return `\n[begin of ${shown}]\n${text.trim()}\n[end of ${shown}]\n`;
    }
  }
}

type ImportResult =
  | { readonly kind: 'read'; readonly file: ImportingFile }
  | { readonly kind: 'refused'; readonly reason: string }
  /** A word such as a user name, which is not a path. */
  | { readonly kind: 'unmeant' };

async function readImport(
  { files, root, loaded, whole, budget }: ImportScope,
  folder: string,
  target: string,
  depth: number,
): Promise<ImportResult> {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return refused('addresses are not read');
  if (depth > deepestImport) return refused(`more than ${deepestImport} levels deep`);
  if (budget.attempts <= 0 || budget.characters <= 0) return refused('the limit for imports is reached');
  budget.attempts -= 1;
  try {
    const real = await files.realPath(isAbsolute(target) ? target : resolve(folder, target));
    if (!folderContains(root, real))
      return refused('it lies outside of the folder that may be imported from');
    const isProtected = [real, resolve(folder, target)].some(
      path => findProtection(relative(root, path), 'read') !== undefined,
    );
    if (isProtected) return refused('it may hold secrets');
    const stat = await files.stat(real);
    if (!stat) return /[./\\]/.test(target) ? refused('there is no such file') : { kind: 'unmeant' };
    if (stat.kind !== 'file') return /[./\\]/.test(target) ? refused('it is no file') : { kind: 'unmeant' };
    if (loaded.has(real)) return refused('it is included already');
    if (stat.size > sizeLimit) return refused('it is too large');
    const { text: exact } = await files.readText(real);
    const text = cutTo(exact, Math.min(memoryLimit, budget.characters));
    loaded.add(real);
    if (text === exact) whole.set(real, text);
    budget.characters -= text.length;
    return { kind: 'read', file: { path: real, text } };
  } catch {
    // The model only needs to know that the text is missing.
    return refused('it cannot be read as text');
  }
}

function refused(reason: string): ImportResult {
  return { kind: 'refused', reason };
}

function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${headOf(text, limit)}\n(cut here: ${text.length - limit} more characters)`;
}
