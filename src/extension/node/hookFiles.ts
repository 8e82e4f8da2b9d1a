import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { HookDialect, HookFile, HookFiles } from '../platform/hooks.ts';
import { isMissing } from './fileErrors.ts';
import { parseTolerantly } from './tolerantJson.ts';

export interface HookFilePlaces {
  /** Files of the person, absolute, the most important first. */
  readonly person: readonly string[];
  /** Absolute workspace folders as they are now; commands run in the first. */
  readonly folders: () => readonly string[];
}

/** Bytes of a settings file or script at the most. */
const mostBytes = 4 * 1024 * 1024;

/** Settings files on the disk: what an editor has not saved names no hooks. */
export class NodeHookFiles implements HookFiles {
  private readonly places: HookFilePlaces;

  constructor(places: HookFilePlaces) {
    this.places = places;
  }

  async read(trusted: boolean): Promise<readonly HookFile[]> {
    const { person, folders } = this.places;
    const ofWorkspace = trusted ? folders() : [];
    const reads = [
      ...ofWorkspace.map(folder =>
        readHookFile(join(folder, '.gemini', 'settings.json'), 'workspace', 'gemini'),
      ),
      ...ofWorkspace.map(folder =>
        readHookFile(join(folder, '.claude', 'settings.json'), 'workspace', 'claude'),
      ),
      ...person.map(path => readHookFile(path, 'person', 'gemini')),
    ];
    const files = (await Promise.all(reads)).filter(file => file !== undefined);
    // The home folder may be the workspace: the file counts once, as the person's own.
    return files.filter(({ path, origin }) => origin === 'person' || !person.includes(path));
  }

  async digest(command: string): Promise<string> {
    const folders = this.places.folders();
    const [cwd] = folders;
    if (cwd === undefined) return '';
    const hash = createHash('sha256');
    for (const word of wordsOf(command)) {
      const path = resolve(
        cwd,
        word.replace(/\$\{?(?:GEMINI_PROJECT_DIR|GEMINI_CWD|CLAUDE_PROJECT_DIR)\}?/g, cwd),
      );
      const content = await findContent(path, folders);
      if (content) hash.update(`${word}\0${content.length}\0`).update(content);
    }
    return hash.digest('hex');
  }
}

async function readHookFile(
  path: string,
  origin: HookFile['origin'],
  dialect: HookDialect,
): Promise<HookFile | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    // Most settings files name no hooks; they are not worth parsing twice.
    if (!/hook/i.test(text)) return undefined;
    return { path, origin, dialect, content: await parseTolerantly(text) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    const problem = `The hooks of ${path} cannot be read (${messageOf(error)}). None of them run.`;
    return { path, origin, dialect, content: {}, problem };
  }
}

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
