import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode, isAbortError, messageOf } from '../../base/errors.ts';
import {
  type ExtensionContents,
  type ExtensionFolders,
  type ExtensionSource,
  ExtensionTrouble,
  type FetchedExtension,
  type InstalledFolder,
  type InstallNote,
  type SwitchScope,
} from '../../platform/extensionFolders.ts';
import type { Processes } from '../../platform/processes.ts';
import { readExtensionFiles } from '../customFiles.ts';
import { isMissing } from '../fileErrors.ts';
import { readExtensionHooks } from '../hookFiles.ts';
import { isWithin } from '../realPath.ts';
import { copyTree } from './copyTree.ts';
import { forgetExtension, switchExtension } from './enablement.ts';
import { fetchRepository } from './fetchRepository.ts';
import { noteName, readNote, writeNote } from './installNote.ts';

/** What a source must not bring: values that the person enters, and a note that could lead elsewhere. */
const without = ['.env', noteName];

/** `~/.gemini/extensions`; what is under way stands there, too, under names with a dot, which count for nobody. */
export class NodeExtensionFolders implements ExtensionFolders {
  private readonly root: string;
  private readonly processes: Pick<Processes, 'start'>;

  /** @param home absolute */
  constructor(home: string, processes: Pick<Processes, 'start'>) {
    this.root = join(home, '.gemini', 'extensions');
    this.processes = processes;
  }

  async list(): Promise<readonly InstalledFolder[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch(() => []);
    const names = entries
      .filter(entry => !entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
    return Promise.all(names.map(async name => ({ name, note: await this.readNote(name) })));
  }

  read(name: string): Promise<ExtensionContents> {
    return orTrouble('It could not be read.', () => readContents(this.folderOf(name)));
  }

  fetch(source: ExtensionSource, signal: AbortSignal): Promise<FetchedExtension> {
    return orTrouble('Nothing was fetched.', async () => {
      await mkdir(this.root, { recursive: true });
      const place = await mkdtemp(join(this.root, '.new-'));
      try {
        return await this.fetchTo(place, source, signal);
      } catch (error) {
        await rm(place, { recursive: true, force: true });
        throw error;
      }
    });
  }

  remove(name: string): Promise<void> {
    return orTrouble(`The extension ${name} was not removed.`, async () => {
      const folder = this.folderOf(name);
      const found = await lstat(folder);
      if (found.isSymbolicLink()) await unlink(folder);
      else await rm(folder, { recursive: true });
      await forgetExtension(this.root, name);
    });
  }

  switch(name: string, to: 'on' | 'off', where: SwitchScope): Promise<void> {
    return orTrouble(`The extension ${name} was not switched.`, async () => {
      await mkdir(this.root, { recursive: true });
      await switchExtension(this.root, name, to, where);
    });
  }

  private async fetchTo(
    place: string,
    source: ExtensionSource,
    signal: AbortSignal,
  ): Promise<FetchedExtension> {
    const found = await this.findFiles(source, join(place, 'repository'), signal);
    const folder = join(place, 'extension');
    await copyTree(found.folder, folder, without, signal);
    const { commit } = found;
    return {
      contents: await readContents(folder),
      commit,
      type: commit === undefined ? 'local' : 'git',
      install: (name, note) =>
        orTrouble(`The extension ${name} was not installed.`, () => this.install(folder, name, note)),
      discard: () => rm(place, { recursive: true, force: true }),
    };
  }

  private folderOf(name: string): string {
    if (name.startsWith('.') || /[\\/\0]/.test(name)) throw new Error(`${name} is no name of an extension.`);
    return join(this.root, name);
  }

  private async readNote(name: string): Promise<InstallNote | undefined> {
    const folder = join(this.root, name);
    const found = await lstat(folder);
    if (!found.isSymbolicLink()) return readNote(folder);
    return { source: await realpath(folder).catch(() => folder), type: 'link' };
  }

  /** @param repository does not exist; a repository's files are put there */
  private async findFiles(
    source: ExtensionSource,
    repository: string,
    signal: AbortSignal,
  ): Promise<{ readonly folder: string; readonly commit?: string }> {
    const { ref } = source;
    if (source.kind === 'folder' && ref === undefined && !(await isBare(source.path)))
      return { folder: await this.checkFolder(source.path) };
    await mkdir(repository);
    const address = source.kind === 'git' ? source.address : source.path;
    const commit = await fetchRepository(this.processes, { address, ref, folder: repository, signal });
    return { folder: repository, commit };
  }

  private async checkFolder(path: string): Promise<string> {
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new Error(`There is no folder ${path}.`);
    if (!found.isDirectory()) throw new Error(`${path} is no folder.`);
    const [real, root] = await Promise.all([realpath(path), realpath(this.root)]);
    if (isWithin(root, real) || isWithin(real, root))
      throw new Error(`${path} is where extensions are installed; name a folder elsewhere.`);
    return path;
  }

  /** The old one is moved away first and comes back when the new one cannot take its place. */
  private async install(fetched: string, name: string, note: InstallNote): Promise<void> {
    const folder = this.folderOf(name);
    await writeNote(fetched, note);
    const old = join(fetched, '..', 'old');
    const hadOld = await move(folder, old);
    try {
      if (hadOld) await move(join(old, '.env'), join(fetched, '.env'));
      await rename(fetched, folder);
    } catch (error) {
      if (hadOld) {
        await move(join(fetched, '.env'), join(old, '.env'));
        await rename(old, folder);
      }
      throw error;
    }
  }
}

/** @param outcome a sentence that goes before what went wrong */
async function orTrouble<T>(outcome: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAbortError(error)) throw error;
    const why = messageOf(error);
    throw new ExtensionTrouble(`${outcome} ${why}${/[.!]$/.test(why) ? '' : '.'}`, { cause: error });
  }
}

/** False: there is nothing to move. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A repository without files of its own, as it is shared between people. */
async function isBare(path: string): Promise<boolean> {
  const kinds = await Promise.all(
    ['HEAD', 'objects', 'refs'].map(name => stat(join(path, name)).catch(() => undefined)),
  );
  return kinds[0]?.isFile() === true && kinds[1]?.isDirectory() === true && kinds[2]?.isDirectory() === true;
}

async function readContents(folder: string): Promise<ExtensionContents> {
  const [files, hooks, digests] = await Promise.all([
    readExtensionFiles(folder),
    readExtensionHooks({ folder, env: {}, isOfWorkspace: false }),
    digestFiles(folder),
  ]);
  return { folder, files, hooks, digests };
}

async function digestFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw new Error(`There is no folder ${folder}.`);
    throw error;
  });
  const digests = new Map<string, string>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (without.includes(name)) continue;
    if (entry.isFile()) digests.set(name, await digestOf(path));
    else if (entry.isSymbolicLink()) digests.set(name, `link to ${await readlink(path)}`);
  }
  return new Map([...digests].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
