import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { HookDialect, HookFile, HookFiles } from '../platform/hooks.ts';
import { isMissing } from './fileErrors.ts';
import { digestScripts } from './scriptDigest.ts';
import { parseTolerantly } from './tolerantJson.ts';

export interface HookFilePlaces {
  /** Files of the person, absolute, the most important first. */
  readonly person: readonly string[];
  /** Absolute workspace folders as they are now; commands run in the first. */
  readonly folders: () => readonly string[];
}

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

  digest(command: string): Promise<string> {
    return digestScripts(command, this.places.folders());
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
