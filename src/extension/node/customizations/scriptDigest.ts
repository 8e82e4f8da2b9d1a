/*
 * Computes a digest of the workspace files that a command line names, since the program may change while the line stays
 * the same.
 */

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Only this many bytes of a script are hashed; for a longer one, only its length. */
const maxBytes = 4 * 1024 * 1024;

/** Maximum number of names; nobody reviews a longer command line. */
const maxNames = 1000;

/**
 * Empty without a folder.
 * @param folders absolute workspace folders; commands run in the first
 * @param cwd folder in which it runs instead, as its entry names it
 */
export async function digestScripts(
  command: string,
  folders: readonly string[],
  cwd?: string,
): Promise<string> {
  const [folder] = folders;
  if (folder === undefined) return '';
  const hash = createHash('sha256');
  const placeOf = (name: string) => name.replace(folderVariables, () => folder).replace(separator, () => sep);
  const bases = cwd === undefined ? [folder] : [folder, resolve(folder, placeOf(cwd))];
  for (const name of namesOf(command).slice(0, maxNames)) {
    for (const base of bases) {
      const content = await findContent(resolve(base, placeOf(name)), folders);
      // An empty file counts as missing: `touch FILE` creates one without changing the command.
      if (content?.length) hash.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Names by which hooks and servers may refer to the workspace. */
const folderVariables =
  /\$\{?(?:GEMINI_PROJECT_DIR|GEMINI_CWD|CLAUDE_PROJECT_DIR|workspaceFolder|workspacePath|workspaceRoot)\}?/g;

const separator = /\$\{(?:\/|pathSeparator)\}/g;

/** Words of the command that may name a file. */
function namesOf(command: string): readonly string[] {
  const words = wordsOf(command);
  const isPackaged = words.some(word => packageRunner.test(programOf(word)));
  const reached = words.flatMap((word, at) => [
    ...readBy(word, words[at - 1]),
    ...(isPackaged ? [`node_modules/.bin/${word.replace(/^@[^/]*\//, '').replace(/@.*$/, '')}`] : []),
  ]);
  // A path with blanks is one argument, and an argument may be a whole line.
  const lines = command.split('\n').map(line => line.trim());
  return [...new Set([...words, ...reached, ...lines])].filter(Boolean);
}

/** Splits roughly like a shell. Quotes and operators are no part of a file name. */
function wordsOf(command: string): readonly string[] {
  return [...new Set(command.split(/[\s"'`;|&<>()=]+/).filter(Boolean))];
}

const packageRunner = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:\.cmd|\.exe)?$/;
const runtime = /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|py)(?:\.exe)?$/;

/** Files that a program reads implicitly: scripts of a package, and modules named without extension. */
function readBy(word: string, before = ''): readonly string[] {
  const program = programOf(word);
  if (packageRunner.test(program)) return ['package.json'];
  if (program === 'make') return ['Makefile'];
  if (before !== '-m' && !runtime.test(programOf(before))) return [];
  const module = before === '-m' ? word.replaceAll('.', '/') : word;
  return moduleFiles.map(ending => module + ending);
}

const moduleFiles: readonly string[] = [
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.py',
  '/package.json',
  '/index.js',
  '/index.mjs',
  '/index.ts',
  '/__main__.py',
  '/__init__.py',
];

function programOf(word: string): string {
  return word.split(/[\\/]/).at(-1) ?? '';
}

/** Reads only workspace files, since the agent could not change others. */
async function findContent(path: string, folders: readonly string[]): Promise<Buffer | undefined> {
  try {
    const real = await realpath(path);
    const roots = await Promise.all(folders.map(folder => realpath(folder)));
    if (!roots.some(root => isInside(root, real))) return undefined;
    const found = await stat(real);
    if (!found.isFile()) return undefined;
    const { size } = found;
    return size <= maxBytes ? await readFile(real) : Buffer.from(String(size));
  } catch {
    // The word names no readable file.
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
