import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import {
  type CustomFile,
  type CustomFileKind,
  type CustomFiles,
  type CustomOrigin,
  extensionOf,
} from '../../platform/customizations/customFiles.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded, UnusableFileError } from '../files/readBounded.ts';
import type { StatCalls } from '../files/statCalls.ts';
import { StatSnapshot } from '../files/statSnapshot.ts';
import { NodeSettingsDocuments } from '../settings/settingsDocuments.ts';
import { pluginAsExtension, pluginManifest } from './claudePlugin.ts';
import { findExtensions, type InstalledExtension } from './installedExtensions.ts';
import { digestScripts } from './scriptDigest.ts';

interface CustomFilePlaces {
  /** Absolute path of the user's home folder. */
  readonly home: string;
  /** Current workspace folders as absolute paths. */
  readonly folders: () => readonly string[];
  /** Absolute path of one more settings file of the user, which wins over the one at home. */
  readonly settingsFile?: string;
  /** Milliseconds, for comparison with file times. Defaults to the system clock. */
  readonly now?: () => number;
  /** Defaults to asynchronous calls. */
  readonly scans?: StatCalls;
}

/** No hand-written command, agent or skill is longer. */
const maxBytes = 1024 * 1024;
/** Limit for all files of one root. */
const maxBytesInAll = 16 * 1024 * 1024;
const maxFiles = 500;
const maxLevels = 8;

/** A folder or file below a root that is read. */
interface Place {
  readonly kind: CustomFileKind;
  readonly path: string;
  /** For a folder: matches the files to read. */
  readonly pattern?: RegExp;
}

/** Subfolders may group agents; the README of a folder is no agent. */
const foldedAgents = /^(?:(?!_)[^/]+\/)*(?!_|README\.md$)[^/]+\.md$/i;

const ownPlaces: readonly Place[] = [
  { kind: 'settings', path: '.gemini/settings.json' },
  { kind: 'markdown', path: '.claude/commands', pattern: /\.md$/ },
  { kind: 'toml', path: '.gemini/commands', pattern: /\.toml$/ },
  { kind: 'agent', path: '.claude/agents', pattern: foldedAgents },
  { kind: 'agent', path: '.gemini/agents', pattern: /^(?!_)[^/]+\.md$/ },
  { kind: 'skill', path: '.claude/skills', pattern: /^([^/]+\/)?SKILL\.md$/ },
  { kind: 'skill', path: '.gemini/skills', pattern: /^([^/]+\/)?SKILL\.md$/ },
  { kind: 'skill', path: '.agents/skills', pattern: /^([^/]+\/)?SKILL\.md$/ },
];

const workspacePlaces: readonly Place[] = [
  { kind: 'settings', path: '.mcp.json' },
  { kind: 'servers', path: '.vscode/mcp.json' },
  ...ownPlaces,
];

const extensionPlaces: readonly Place[] = [
  { kind: 'manifest', path: 'gemini-extension.json' },
  { kind: 'toml', path: 'commands', pattern: /\.toml$/ },
  { kind: 'agent', path: 'agents', pattern: /^(?!_)[^/]+\.md$/ },
  { kind: 'skill', path: 'skills', pattern: /^([^/]+\/)?SKILL\.md$/ },
];

const pluginPlaces: readonly Place[] = [
  { kind: 'manifest', path: pluginManifest },
  { kind: 'servers', path: '.mcp.json' },
  { kind: 'markdown', path: 'commands', pattern: /\.md$/ },
  { kind: 'agent', path: 'agents', pattern: foldedAgents },
  { kind: 'skill', path: 'skills', pattern: /^([^/]+\/)?SKILL\.md$/ },
];

/** The files below a root, as read. */
interface Reading {
  readonly files: readonly CustomFile[];
  readonly snapshot: StatSnapshot;
}

/**
 * Reads saved files only; unsaved text of an editor does not count. Runs for every prompt, so a root without changed
 * files returns the same objects without reading them again.
 */
export class NodeCustomFiles implements CustomFiles {
  private readonly places: CustomFilePlaces;
  private readonly documents: SettingsDocuments;
  /** By root, origin and places. Only results without a problem and without recent changes. */
  private known: ReadonlyMap<string, Reading> = new Map();

  constructor(places: CustomFilePlaces, documents: SettingsDocuments) {
    this.places = places;
    this.documents = documents;
  }

  async read(trusted: boolean): Promise<readonly CustomFile[]> {
    const { home, folders, settingsFile: given } = this.places;
    // The home folder may be the workspace: its files count once, as the user's own.
    const others = folders().filter(folder => folder !== home);
    const workspace = trusted ? others : [];
    const isMeant = ({ origin }: InstalledExtension) => trusted || origin.kind !== 'workspace';
    const kept = new Map<string, Reading>();
    const readRoot: ReadRoot = (...root) => this.readRoot(root, kept);
    const ofExtensions = findExtensions(home, others, this.documents).then(extensions =>
      Promise.all(extensions.filter(isMeant).map(extension => readExtension(extension, readRoot))),
    );
    const files = await Promise.all([
      ofExtensions.then(read => read.flat()),
      readRoot(home, ownPlaces, { kind: 'person' }),
      given === undefined
        ? []
        : readRoot(dirname(given), [{ kind: 'settings', path: basename(given) }], { kind: 'person' }),
      ...workspace.map(folder => readRoot(folder, workspacePlaces, { kind: 'workspace' })),
    ]);
    this.known = kept;
    return files.flat();
  }

  digest(command: string, cwd?: string): Promise<string> {
    return digestScripts(command, this.places.folders(), cwd);
  }

  private async readRoot(
    [root, places, origin]: Parameters<ReadRoot>,
    kept: Map<string, Reading>,
  ): Promise<readonly CustomFile[]> {
    const key = JSON.stringify([root, origin, places]);
    const known = this.known.get(key);
    if (known && (await known.snapshot.isUnchanged())) {
      kept.set(key, known);
      return known.files;
    }
    const at = (this.places.now ?? Date.now)();
    const snapshot = new StatSnapshot(this.places.scans);
    const files = await readAll(root, places, origin, { snapshot, documents: this.documents });
    // A problem may be temporary, so it is not cached.
    if (snapshot.isSettled(at) && files.every(({ problem }) => problem === undefined))
      kept.set(key, { files, snapshot });
    return files;
  }
}

/** Reads the folder of an extension that is not enabled yet, or that the user inspects. Empty without a manifest. */
export async function readExtensionFiles(folder: string): Promise<readonly CustomFile[]> {
  const origin = { kind: 'extension' as const, name: basename(folder), folder };
  const documents = new NodeSettingsDocuments();
  return readExtension({ origin, place: origin }, (...root) =>
    readAll(...root, { snapshot: new StatSnapshot(), documents }),
  );
}

type ReadRoot = (
  root: string,
  places: readonly Place[],
  origin: CustomOrigin,
) => Promise<readonly CustomFile[]>;

const manifestName = 'gemini-extension.json';

/**
 * Reads an extension, or a plugin as one. A manifest that cannot be read is returned alone, with its problem; without
 * any manifest nothing in the folder counts.
 */
async function readExtension(
  { origin, place, problem }: InstalledExtension,
  readRoot: ReadRoot,
): Promise<readonly CustomFile[]> {
  const { name, folder, linkedFrom } = place;
  const asProblem = (sentence: string): readonly CustomFile[] => [
    { kind: 'manifest', name, origin, path: join(folder, manifestName), text: '', problem: sentence },
  ];
  const wrong = problem === undefined ? [] : asProblem(problem);
  const files = await readRoot(folder, extensionPlaces, origin);
  const manifest = files.find(({ kind }) => kind === 'manifest');
  if (manifest) return [...wrong, ...(manifest.problem === undefined ? files : [manifest])];
  const plugin = pluginAsExtension(await readRoot(folder, pluginPlaces, origin), folder);
  if (plugin.length > 0) return [...wrong, ...plugin];
  if (wrong.length > 0 || linkedFrom === undefined) return wrong;
  return asProblem(
    t('The extension {0} is linked to {1}, which contains no {2}.', name, folder, manifestName),
  );
}

async function readAll(
  root: string,
  places: readonly Place[],
  origin: CustomOrigin,
  { snapshot, documents }: Pick<View, 'snapshot' | 'documents'>,
): Promise<readonly CustomFile[]> {
  const scan: View = { snapshot, documents, bytesLeft: maxBytesInAll };
  const files = await Promise.all(
    places.map(async ({ kind, path, pattern }) => {
      const place = join(root, path);
      const read = (at: string, file: string) =>
        readOne(at, { kind, name: nameOf(kind, place, file, origin), origin }, scan);
      if (pattern === undefined) return read(place, path);
      const found = await findFiles(place, pattern, snapshot);
      return Promise.all(found.map(file => read(join(place, file), file)));
    }),
  );
  return files.flat().filter(file => file !== undefined);
}

/** A skill is named after its folder, a manifest after its extension, everything else after its path. */
function nameOf(kind: CustomFileKind, place: string, file: string, origin: CustomOrigin): string {
  if (kind === 'skill') return dirname(file) === '.' ? basename(place) : dirname(file);
  if (kind === 'manifest') return extensionOf(origin)?.name ?? basename(dirname(place));
  return file.replace(/\.[^./]+$/, '');
}

/** Sorted paths below the folder, with slashes. Does not follow links to folders. Empty if there is no folder. */
async function findFiles(
  folder: string,
  pattern: RegExp,
  snapshot: StatSnapshot,
): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = await readEntries(at, snapshot);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= maxFiles) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (level < maxLevels) await walk(path, level + 1);
        continue;
      }
      const name = relative(folder, path).split(sep).join('/');
      if (pattern.test(name)) found.push(name);
    }
  };
  await walk(folder, 1);
  return found;
}

/** Empty if the folder is missing or unreadable. */
async function readEntries(folder: string, snapshot: StatSnapshot): Promise<Dirent[]> {
  try {
    await snapshot.scan(folder);
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // It may be temporary.
    if (!isMissing(error)) snapshot.doubt();
    return [];
  }
}

/** One scan of all files below a root. */
interface View {
  readonly snapshot: StatSnapshot;
  readonly documents: SettingsDocuments;
  bytesLeft: number;
}

async function readOne(
  path: string,
  named: Pick<CustomFile, 'kind' | 'name' | 'origin'>,
  scan: View,
): Promise<CustomFile | undefined> {
  const file = { ...named, path };
  const { kind } = named;
  try {
    const { size } = await scan.snapshot.scan(path);
    const real = await realpath(path);
    // A link with a harmless name must not load another kind of file, such as a key.
    if (extname(real) !== extname(path))
      throw new UnusableFileError(() => t('leads to a file of another type'));
    scan.bytesLeft -= size;
    if (scan.bytesLeft < 0) throw new UnusableFileError(() => t('exceeds the total size limit'));
    const isJson = kind === 'settings' || kind === 'servers' || kind === 'manifest';
    if (!isJson) return { ...file, text: await readBounded(path, maxBytes) };
    const document = await scan.documents.read(path);
    if (document === undefined) return undefined;
    if (document.status !== 'parsed') throw document.error;
    return { ...file, text: '', content: document.content };
  } catch (error) {
    if (isMissing(error)) return undefined;
    const why =
      error instanceof UnusableFileError ? error.message : t('cannot be used: {0}', messageOf(error));
    return { ...file, text: '', problem: `${path} ${why}${why.endsWith('.') ? '' : '.'}` };
  }
}
