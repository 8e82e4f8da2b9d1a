/*
 * Index of workspace files and folders for completion. It is built in the background on first use and updated from file
 * events. After many changes it is rebuilt, while the old list stays in use.
 */

import { isAbsolute, sep } from 'node:path';
import { nameOfFolder } from '../../../protocol/words/folderNames.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Log } from '../../platform/log.ts';
import type { RuleStamps, Search } from '../../platform/search.ts';
import { folderContains, formatPathIn } from '../folderPaths.ts';
import { makeRankEntry, type RankEntry } from './matchScore.ts';
import { Ranking } from './rank.ts';
import type { MentionFiles } from './sources.ts';

/** `rules`: an ignore file changed. */
export interface IndexedFileChange {
  readonly kind: 'created' | 'deleted' | 'rules';
  /** Absolute. */
  readonly path: string;
}

interface FileIndexPorts {
  readonly folders: () => readonly string[];
  readonly search: Search & RuleStamps;
  readonly files: () => Pick<MentionFiles, 'find'>;
  readonly changes: Event<IndexedFileChange>;
  readonly log: Log;
  /** Maximum number of files; for tests. */
  readonly limit?: number;
}

export interface FileList {
  readonly entries: readonly RankEntry[];
  readonly paths: ReadonlySet<string>;
  readonly ranking: Ranking;
  /** The workspace has more files than the limit. */
  readonly limited: boolean;
}

/** About 60 MB at most. */
const maxFiles = 250_000;
/** More changes than this trigger a rebuild. */
const maxChanges = 20;

export class FileIndex implements Disposable {
  private readonly ports: FileIndexPorts;
  private readonly subscription: Disposable;
  private readonly ended = new AbortController();
  private readonly changed = new Map<string, IndexedFileChange['kind']>();
  private stale = true;
  private rules = '';
  private listedFolders = '';
  /** Prefixes for files in workspace folders other than the first. */
  private names: ReadonlyMap<string, string> = new Map();
  private list: FileList | undefined;
  private listing: Promise<FileList> | undefined;

  constructor(ports: FileIndexPorts) {
    this.ports = ports;
    this.subscription = ports.changes(change => this.note(change));
  }

  /** Returns the current list, waiting only for the first one. Rejects if the workspace cannot be listed. */
  async read(): Promise<FileList> {
    if (this.listedFolders !== this.ports.folders().join('\0')) this.list = undefined;
    if (!this.list) return await this.build();
    // Ignore files outside the workspace are not watched.
    if (!this.listing && (await this.stampRules()) !== this.rules) this.stale = true;
    if (this.stale) {
      this.build().catch(error => this.ports.log.warn(`The files could not be listed: ${String(error)}`));
      return this.list;
    }
    if (this.changed.size > 0) await this.applyChanges(this.list);
    return this.list;
  }

  /** Formats a path for insertion: in other folders than the first with the folder's name, if that is unambiguous. */
  show(path: string): string {
    const shown = formatPathIn(this.ports.folders()[0], path);
    if (shown !== path.split(sep).join('/') || !isAbsolute(path)) return shown;
    for (const [folder, name] of this.names) {
      if (path !== folder && folderContains(folder, path)) return `${name}/${formatPathIn(folder, path)}`;
    }
    return shown;
  }

  dispose(): void {
    this.subscription.dispose();
    this.ended.abort();
    this.list = undefined;
  }

  private note({ kind, path }: IndexedFileChange): void {
    if (this.stale && !this.listing) return;
    if (kind === 'rules' || this.changed.size >= maxChanges) {
      this.stale = true;
      this.changed.clear();
    } else this.changed.set(path, kind);
  }

  private build(): Promise<FileList> {
    this.listing ??= this.listAll().finally(() => {
      this.listing = undefined;
    });
    return this.listing;
  }

  private async listAll(): Promise<FileList> {
    const folders = this.ports.folders();
    this.stale = false;
    this.names = await this.findNames(folders);
    this.changed.clear();
    try {
      this.rules = await this.stampRules();
      const found = await Promise.all(
        folders.map(folder => this.ports.search.findFiles({ folder, pattern: '**/*' }, this.ended.signal)),
      );
      const most = this.ports.limit ?? maxFiles;
      const all = found.flatMap(({ paths }) => paths);
      const shown = all.slice(0, most).map(path => this.show(path));
      this.list = makeFileList(shown, all.length > most, path => this.beginOf(path));
      this.listedFolders = folders.join('\0');
      return this.list;
    } catch (error) {
      this.stale = true;
      throw error;
    }
  }

  private async stampRules(): Promise<string> {
    const { folders, search } = this.ports;
    return (await Promise.all(folders().map(folder => search.stampRules(folder)))).join('\n');
  }

  private async findNames(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const folder of folders.slice(1)) {
      const name = nameOfFolder(folder, folders);
      const place = name === undefined ? undefined : await this.ports.files().find(name);
      if (name !== undefined && place?.kind === 'folder' && place.path === folder) names.set(folder, name);
    }
    return names;
  }

  private async applyChanges(list: FileList): Promise<void> {
    const changes = [...this.changed];
    this.changed.clear();
    const gone = changes.map(([path]) => this.show(path));
    const added: string[] = [];
    for (const [path] of changes) {
      const place = await this.ports.files().find(path);
      if (place.kind === 'file' && place.leftOutBy === undefined) added.push(this.show(path));
      // A moved folder sends no events for its contents.
      if (place.kind === 'folder' && place.leftOutBy === undefined) this.stale = true;
    }
    this.list = changeList(list, gone, added, path => this.beginOf(path));
  }

  /** Index of the workspace folder's name in an absolute path; the part above is not searched. */
  private beginOf(shown: string): number {
    if (!isAbsolute(shown)) return 0;
    const folders = this.ports.folders().map(folder => `${folder.split(sep).join('/')}/`);
    const folder = folders.find(each => shown.startsWith(each)) ?? '/';
    return folder.lastIndexOf('/', folder.length - 2) + 1;
  }
}

/** Returns the index where the searchable part of a displayed path begins; 0 for relative paths. */
type BeginOf = (path: string) => number;

/** Folders are derived from the files. */
export function makeFileList(
  files: readonly string[],
  limited = false,
  beginOf: BeginOf = () => 0,
): FileList {
  const paths = new Set([...files, ...foldersOf(files, beginOf)]);
  const entries = Array.from(paths, path => makeRankEntry(path, beginOf(path)));
  return listOf(entries, paths, limited);
}

/** Updates the list incrementally, so that typing after a file was created does not wait for a rebuild. */
function changeList(
  list: FileList,
  gone: readonly string[],
  added: readonly string[],
  beginOf: BeginOf,
): FileList {
  const whole = new Set(gone);
  const below = gone.map(path => `${path}/`);
  const kept = list.entries.filter(
    ({ path }) => !whole.has(path) && !below.some(each => path.startsWith(each)),
  );
  const paths = new Set(kept.map(({ path }) => path));
  const fresh = [...new Set([...added, ...foldersOf(added, beginOf)])].filter(path => !paths.has(path));
  for (const path of fresh) paths.add(path);
  return listOf([...kept, ...fresh.map(path => makeRankEntry(path, beginOf(path)))], paths, list.limited);
}

function listOf(entries: readonly RankEntry[], paths: ReadonlySet<string>, limited: boolean): FileList {
  return { entries, paths, ranking: new Ranking(entries), limited };
}

function foldersOf(files: readonly string[], beginOf: BeginOf): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of files) {
    const begin = beginOf(path);
    for (let end = path.lastIndexOf('/'); end > begin; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
