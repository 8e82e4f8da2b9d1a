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
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { t } from '../../../protocol/language.ts';
import { errorCode, isAbortError, LocalizedError, messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import {
  type EnablementScope,
  ExtensionError,
  type ExtensionFiles,
  type ExtensionFolders,
  type ExtensionSource,
  type FetchedExtension,
  type FetchedMarketplace,
  type InstalledExtensionFolder,
  type InstallMetadata,
  type Marketplace,
  type PluginEntry,
} from '../../platform/customizations/extensionFolders.ts';
import type { Processes } from '../../platform/processes.ts';
import { AllowedSources } from '../customizations/allowedSources.ts';
import { pluginManifest } from '../customizations/claudePlugin.ts';
import { readExtensionFiles } from '../customizations/customFiles.ts';
import { removeEnablementRules, setExtensionEnabled } from '../customizations/enablement.ts';
import { readExtensionHooks } from '../customizations/hookFiles.ts';
import {
  installMetadataFileName,
  readInstallMetadata,
  writeInstallMetadata,
} from '../customizations/installNote.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded } from '../files/readBounded.ts';
import { containsPath } from '../files/realPath.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { NodeSettingsDocuments } from '../settings/settingsDocuments.ts';
import { copyTree } from './copyTree.ts';
import { fetchRepository } from './fetchRepository.ts';
import { readMarkets, writeMarkets } from './markets.ts';

/** A source must not contain values that the user enters, nor an install note that could point elsewhere. */
const without = ['.env', installMetadataFileName];

/**
 * The folder `~/.gemini/extensions`. Installations in progress are also there, under names with a leading dot, which
 * all readers ignore.
 */
export class NodeExtensionFolders implements ExtensionFolders {
  private readonly home: string;
  private readonly root: string;
  private readonly processes: Pick<Processes, 'start'>;
  private readonly programs: ProgramFinder;

  /** @param home absolute path. @param programs finds Git */
  constructor(home: string, processes: Pick<Processes, 'start'>, programs = new ProgramFinder(() => [])) {
    this.programs = programs;
    this.home = home;
    this.root = join(home, '.gemini', 'extensions');
    this.processes = processes;
  }

  async list(): Promise<readonly InstalledExtensionFolder[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch(() => []);
    const names = entries
      .filter(entry => !entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
    return Promise.all(names.map(async name => ({ name, note: await this.readNote(name) })));
  }

  read(name: string): Promise<ExtensionFiles> {
    return orThrow(t('It could not be read.'), () => readContents(this.folderOf(name)));
  }

  link(name: string, path: string): Promise<void> {
    return orThrow(t('The extension {0} was not installed.', name), async () => {
      await mkdir(this.root, { recursive: true });
      await symlink(await realpath(path), this.folderOf(name), 'junction');
    });
  }

  fetch(source: ExtensionSource, signal: AbortSignal): Promise<FetchedExtension> {
    return this.inNewPlace(t('Nothing was fetched.'), async place => {
      const allowed = await AllowedSources.read(new NodeSettingsDocuments(), this.home);
      if (!allowed.allowsSource(source))
        throw new LocalizedError(() =>
          t(
            'Your settings do not allow extensions from this source (security.allowedExtensions, security.blockGitExtensions).',
          ),
        );
      const found = await this.findFiles(source, join(place, 'repository'), signal);
      return this.takeOver(place, found, source, signal);
    });
  }

  openMarket(source: ExtensionSource, signal: AbortSignal): Promise<FetchedMarketplace> {
    return this.inNewPlace(t('The marketplace could not be read.'), async place => {
      const market = await this.findFiles(source, join(place, 'repository'), signal);
      const text = await readBounded(join(market.folder, marketList), maxListBytes).catch(
        (error: unknown) => {
          throw isMissing(error) ? new LocalizedError(() => t('It contains no {0}.', marketList)) : error;
        },
      );
      return {
        content: await parseTolerantJson(text),
        commit: market.commit,
        fetch: (within, entry, innerSignal) =>
          this.inNewPlace(t('Nothing was fetched.'), inner =>
            this.takeOver(inner, market, { within, entry }, innerSignal),
          ),
        close: () => rm(place, { recursive: true, force: true }),
      };
    });
  }

  listMarkets(): Promise<readonly Marketplace[]> {
    return orThrow(t('The marketplaces could not be listed.'), () => readMarkets(this.home));
  }

  addMarket(market: Marketplace): Promise<void> {
    return orThrow(t('The marketplace {0} was not added.', market.name), async () => {
      const others = (await readMarkets(this.home)).filter(({ name }) => name !== market.name);
      await writeMarkets(this.home, [...others, market]);
    });
  }

  removeMarket(name: string): Promise<void> {
    return orThrow(t('The marketplace {0} was not removed.', name), async () => {
      const markets = await readMarkets(this.home);
      await writeMarkets(
        this.home,
        markets.filter(each => each.name !== name),
      );
    });
  }

  remove(name: string): Promise<void> {
    return orThrow(t('The extension {0} was not removed.', name), async () => {
      const folder = this.folderOf(name);
      const found = await lstat(folder);
      if (found.isSymbolicLink()) await unlink(folder);
      else await rm(folder, { recursive: true });
      await removeEnablementRules(this.root, name);
    });
  }

  switch(name: string, to: 'on' | 'off', where: EnablementScope): Promise<void> {
    return orThrow(t('The extension {0} could not be enabled or disabled.', name), async () => {
      await mkdir(this.root, { recursive: true });
      await setExtensionEnabled(this.root, name, to, where);
    });
  }

  /** The place remains until it is discarded, and is deleted if the work fails. */
  private inNewPlace<T>(outcome: string, work: (place: string) => Promise<T>): Promise<T> {
    return orThrow(outcome, async () => {
      await mkdir(this.root, { recursive: true });
      await sweep(this.root);
      const place = await mkdtemp(join(this.root, placeName));
      try {
        return await work(place);
      } catch (error) {
        await rm(place, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** @param place receives the copy, and is deleted on discard */
  private async takeOver(
    place: string,
    found: FoundFiles,
    { within = '.', entry }: Pick<ExtensionSource, 'within' | 'entry'>,
    signal: AbortSignal,
  ): Promise<FetchedExtension> {
    const folder = join(place, 'extension');
    await copyTree(await findPart(found.folder, within), folder, without, signal);
    if (entry) await addManifest(folder, entry);
    const { commit } = found;
    return {
      contents: await readContents(folder),
      commit,
      type: commit === undefined ? 'local' : 'git',
      install: (name, note) =>
        orThrow(t('The extension {0} was not installed.', name), () => this.install(folder, name, note)),
      discard: () => rm(place, { recursive: true, force: true }),
    };
  }

  private folderOf(name: string): string {
    if (name.startsWith('.') || /[\\/\0]/.test(name))
      throw new LocalizedError(() => t('{0} is not a valid name for an extension.', name));
    return join(this.root, name);
  }

  private async readNote(name: string): Promise<InstallMetadata | undefined> {
    const folder = join(this.root, name);
    const found = await lstat(folder);
    if (!found.isSymbolicLink()) return readInstallMetadata(folder);
    return { source: await realpath(folder).catch(() => folder), type: 'link' };
  }

  /** @param repository path that does not exist; the files of a repository are downloaded there */
  private async findFiles(
    source: ExtensionSource,
    repository: string,
    signal: AbortSignal,
  ): Promise<FoundFiles> {
    const { ref } = source;
    if (source.kind === 'folder' && ref === undefined && !(await isBare(source.path)))
      return { folder: await this.checkFolder(source.path) };
    await mkdir(repository);
    const address = source.kind === 'git' ? source.address : source.path;
    const commit = await fetchRepository(this.processes, {
      address,
      ref,
      folder: repository,
      path: this.programs.pathVariable,
      signal,
    });
    return { folder: repository, commit };
  }

  private async checkFolder(path: string): Promise<string> {
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new LocalizedError(() => t('There is no folder {0}.', path));
    if (!found.isDirectory()) throw new LocalizedError(() => t('{0} is not a folder.', path));
    const [real, root] = await Promise.all([realpath(path), realpath(this.root)]);
    if (containsPath(root, real) || containsPath(real, root))
      throw new LocalizedError(() =>
        t('{0} is where extensions are installed; name a folder elsewhere.', path),
      );
    return path;
  }

  /** Moves the old version away first, and restores it if the new one cannot be moved in. */
  private async install(fetched: string, name: string, note: InstallMetadata): Promise<void> {
    const folder = this.folderOf(name);
    await writeInstallMetadata(fetched, note);
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

interface FoundFiles {
  readonly folder: string;
  /** Set for a repository. */
  readonly commit?: string;
}

const marketList = '.claude-plugin/marketplace.json';
const maxListBytes = 4 * 1024 * 1024;

const placeName = '.new-';
const longMs = 24 * 60 * 60_000;

/** Deletes remains of killed processes, but never an earlier version of an extension. */
async function sweep(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const place = join(root, name);
    if (!name.startsWith(placeName)) continue;
    const [found, old] = await Promise.all(
      [place, join(place, 'old')].map(path => stat(path).catch(() => undefined)),
    );
    if (found && !old && Date.now() - found.mtimeMs > longMs)
      await rm(place, { recursive: true, force: true });
  }
}

/** Resolves the subfolder `within` the folder. */
async function findPart(folder: string, within: string): Promise<string> {
  const [root, real] = await Promise.all([
    realpath(folder),
    realpath(join(folder, within)).catch(() => undefined),
  ]);
  if (real === undefined)
    throw new LocalizedError(() => t('There is no folder {0} in it.', oneLine(within, 120)));
  if (isAbsolute(within) || !containsPath(root, real))
    throw new LocalizedError(() => t('{0} leads outside it.', oneLine(within, 120)));
  return real;
}

/** A plugin may leave its metadata to its marketplace. */
async function addManifest(folder: string, entry: PluginEntry): Promise<void> {
  const names = ['gemini-extension.json', pluginManifest];
  const found = await Promise.all(names.map(name => lstat(join(folder, name)).catch(() => undefined)));
  if (found.some(each => each !== undefined)) return;
  const path = join(folder, pluginManifest);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(entry, null, 2)}\n`, { flag: 'wx' });
}

/** @param outcome sentence that precedes the cause */
async function orThrow<T>(outcome: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAbortError(error)) throw error;
    const why = messageOf(error);
    throw new ExtensionError(`${outcome} ${why}${/[.!]$/.test(why) ? '' : '.'}`, { cause: error });
  }
}

/** Resolves to false if there is nothing to move. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A bare repository, as used for sharing. */
async function isBare(path: string): Promise<boolean> {
  const kinds = await Promise.all(
    ['HEAD', 'objects', 'refs'].map(name => stat(join(path, name)).catch(() => undefined)),
  );
  return kinds[0]?.isFile() === true && kinds[1]?.isDirectory() === true && kinds[2]?.isDirectory() === true;
}

async function readContents(folder: string): Promise<ExtensionFiles> {
  const [files, digests] = await Promise.all([readExtensionFiles(folder), digestFiles(folder)]);
  const isPlugin = files.some(({ path }) => path === join(folder, pluginManifest));
  const dialect = isPlugin ? 'claude' : 'gemini';
  const hooks = await readExtensionHooks(
    { folder, env: {}, dialect, isOfWorkspace: false },
    new NodeSettingsDocuments(),
  );
  return { folder, files, hooks, digests };
}

async function digestFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw new LocalizedError(() => t('There is no folder {0}.', folder));
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
