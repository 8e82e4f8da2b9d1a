import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { CustomFile, CustomFileKind, CustomFiles, CustomOrigin } from '../platform/customFiles.ts';
import { isMissing } from './fileErrors.ts';
import { readBounded, Unreadable } from './readBounded.ts';
import { digestScripts } from './scriptDigest.ts';
import { parseTolerantly } from './tolerantJson.ts';

export interface CustomFilePlaces {
  /** The person's home folder, absolute. */
  readonly home: string;
  /** Absolute workspace folders as they are now. */
  readonly folders: () => readonly string[];
}

/** A text longer than this is no command, agent or skill that anybody wrote; a folder with more is none of ours. */
const mostBytes = 1024 * 1024;
/** Of all files of one root. */
const mostBytesInAll = 16 * 1024 * 1024;
const mostFiles = 500;
const mostLevels = 8;

/** One folder or file below a root that is looked at. */
interface Place {
  readonly kind: CustomFileKind;
  readonly path: string;
  /** Of a folder: which of its files are meant. */
  readonly pattern?: RegExp;
}

const ownPlaces: readonly Place[] = [
  { kind: 'settings', path: '.gemini/settings.json' },
  { kind: 'markdown', path: '.claude/commands', pattern: /\.md$/ },
  { kind: 'toml', path: '.gemini/commands', pattern: /\.toml$/ },
  { kind: 'agent', path: '.claude/agents', pattern: /^(?!_)[^/]+\.md$/ },
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

/** Files on the disk: what an editor has not saved adds nothing. */
export class NodeCustomFiles implements CustomFiles {
  private readonly places: CustomFilePlaces;

  constructor(places: CustomFilePlaces) {
    this.places = places;
  }

  async read(trusted: boolean): Promise<readonly CustomFile[]> {
    const { home, folders } = this.places;
    // The home folder may be the workspace: its files count once, as the person's own.
    const workspace = trusted ? folders().filter(folder => folder !== home) : [];
    const files = await Promise.all([
      ...(await this.findExtensions()).map(readExtension),
      readAll(home, ownPlaces, { kind: 'person' }),
      ...workspace.map(folder => readAll(folder, workspacePlaces, { kind: 'workspace' })),
    ]);
    return files.flat();
  }

  digest(command: string, cwd?: string): Promise<string> {
    return digestScripts(command, this.places.folders(), cwd);
  }

  private async findExtensions(): Promise<readonly Extract<CustomOrigin, { kind: 'extension' }>[]> {
    const root = join(this.places.home, '.gemini', 'extensions');
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    const names = entries.filter(entry => !entry.isFile()).map(({ name }) => name);
    return names.sort().map(name => ({ kind: 'extension', name, folder: join(root, name) }));
  }
}

/** Without a manifest that can be read it is no extension, and nothing of it counts. */
async function readExtension(
  origin: Extract<CustomOrigin, { kind: 'extension' }>,
): Promise<readonly CustomFile[]> {
  const files = await readAll(origin.folder, extensionPlaces, origin);
  const manifest = files.find(({ kind }) => kind === 'manifest');
  if (!manifest) return [];
  return manifest.problem === undefined ? files : [manifest];
}

async function readAll(
  root: string,
  places: readonly Place[],
  origin: CustomOrigin,
): Promise<readonly CustomFile[]> {
  const room: Room = { bytes: mostBytesInAll };
  const files = await Promise.all(
    places.map(async ({ kind, path, pattern }) => {
      const place = join(root, path);
      const read = (at: string, file: string) =>
        readOne(at, { kind, name: nameOf(kind, place, file), origin }, room);
      if (pattern === undefined) return read(place, path);
      const found = await findFiles(place, pattern);
      return Promise.all(found.map(file => read(join(place, file), file)));
    }),
  );
  return files.flat().filter(file => file !== undefined);
}

/** A skill is called by its folder, a manifest by its extension's; everything else by its own path. */
function nameOf(kind: CustomFileKind, place: string, file: string): string {
  if (kind === 'skill') return dirname(file) === '.' ? basename(place) : dirname(file);
  if (kind === 'manifest') return basename(dirname(place));
  return file.replace(/\.[^./]+$/, '');
}

/** Paths below the folder, with slashes, sorted; links to folders are not followed. Empty when there is none. */
async function findFiles(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= mostFiles) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (level < mostLevels) await walk(path, level + 1);
        continue;
      }
      const name = relative(folder, path).split(sep).join('/');
      if (pattern.test(name)) found.push(name);
    }
  };
  await walk(folder, 1);
  return found;
}

/** What may still be read below a root. */
interface Room {
  bytes: number;
}

async function readOne(
  path: string,
  named: Pick<CustomFile, 'kind' | 'name' | 'origin'>,
  room: Room,
): Promise<CustomFile | undefined> {
  const file = { ...named, path };
  const { kind } = named;
  try {
    const [{ size }, real] = await Promise.all([stat(path), realpath(path)]);
    // A link under a harmless name must not bring in what is no such file, such as somebody's keys.
    if (extname(real) !== extname(path)) throw new Unreadable('leads to a file of another kind');
    room.bytes -= size;
    if (room.bytes < 0) throw new Unreadable('is one too many to be used');
    const text = await readBounded(path, mostBytes);
    const isJson = kind === 'settings' || kind === 'servers' || kind === 'manifest';
    return { ...file, text: isJson ? JSON.stringify(await parseTolerantly(text)) : text };
  } catch (error) {
    if (isMissing(error)) return undefined;
    const why = error instanceof Unreadable ? error.message : `cannot be used: ${messageOf(error)}`;
    return { ...file, text: '', problem: `${path} ${why}${why.endsWith('.') ? '' : '.'}` };
  }
}
