/*
 * Makes one digest of the workspace's files that a command line names: the program may change while the line stays
 * the same.
 */

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Bytes of a script that are hashed; of a longer one only how long it is. */
const maxBytes = 4 * 1024 * 1024;

/** Nobody has read the rest of a longer command line. */
const maxNames = 1000;

/**
 * Empty without a folder.
 * @param folders absolute workspace folders; commands run in the first
 * @param cwd where it runs instead, as its entry names it
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
      // As if it were not there: `touch FILE` makes such a file, and is no other command afterwards.
      if (content?.length) hash.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Names under which hooks and servers may speak of the workspace. */
const folderVariables =
  /\$\{?(?:GEMINI_PROJECT_DIR|GEMINI_CWD|CLAUDE_PROJECT_DIR|workspaceFolder|workspacePath|workspaceRoot)\}?/g;

const separator = /\$\{(?:\/|pathSeparator)\}/g;

/** Words of the command that may name a file that it leads to. */
function namesOf(command: string): readonly string[] {
  const words = wordsOf(command);
  const isPackaged = words.some(word => packageRunner.test(programOf(word)));
  const reached = words.flatMap((word, at) => [
    ...readBy(word, words[at - 1]),
    ...(isPackaged ? [`node_modules/.bin/${word.replace(/^@[^/]*\//, '').replace(/@.*$/, '')}`] : []),
  ]);
  // A path with blanks is one argument, and an argument may be a line of its own.
  const lines = command.split('\n').map(line => line.trim());
  return [...new Set([...words, ...reached, ...lines])].filter(Boolean);
}

/** Roughly what a shell would take for words; quotes and joints are no part of a file's name. */
function wordsOf(command: string): readonly string[] {
  return [...new Set(command.split(/[\s"'`;|&<>()=]+/).filter(Boolean))];
}

const packageRunner = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:\.cmd|\.exe)?$/;
const runtime = /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|py)(?:\.exe)?$/;

/**
 * Files that a program reads without being told: scripts of a package, and modules that are named without their
 * ending.
 */
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

/** Reads files of the workspace only: the agent could not change others. */
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
    // A word that names no file that can be read adds nothing.
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
