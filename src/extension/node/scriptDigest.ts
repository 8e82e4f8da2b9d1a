/* What a command line would start may change without the line: the workspace's files that it names, as one digest. */

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

/** Bytes of a script that are looked at; of a longer one only how long it is. */
const mostBytes = 4 * 1024 * 1024;

/** Empty without a folder. @param folders absolute workspace folders; commands run in the first */
export async function digestScripts(command: string, folders: readonly string[]): Promise<string> {
  const [cwd] = folders;
  if (cwd === undefined) return '';
  const hash = createHash('sha256');
  for (const word of wordsOf(command)) {
    const path = resolve(cwd, word.replace(folderVariables, cwd));
    const content = await findContent(path, folders);
    if (content) hash.update(`${word}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Names under which hooks and servers may speak of the workspace. */
const folderVariables =
  /\$\{?(?:GEMINI_PROJECT_DIR|GEMINI_CWD|CLAUDE_PROJECT_DIR|workspaceFolder|workspacePath)\}?/g;

/** Roughly what a shell would take for words; quotes and joints are no part of a file's name. */
function wordsOf(command: string): readonly string[] {
  return [...new Set(command.split(/[\s"'`;|&<>()=]+/).filter(Boolean))];
}

/** Of files of the workspace only: those outside of it are none that the agent could change. */
async function findContent(path: string, folders: readonly string[]): Promise<Buffer | undefined> {
  try {
    const real = await realpath(path);
    const roots = await Promise.all(folders.map(folder => realpath(folder)));
    if (!roots.some(root => isInside(root, real))) return undefined;
    const { size } = await stat(real);
    return size <= mostBytes ? await readFile(real) : Buffer.from(String(size));
  } catch {
    // A word that names no file that can be read adds nothing.
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
