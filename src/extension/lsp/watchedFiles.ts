/*
 * Files that a server knows and has not open. It is told what changed of them before a question about the whole
 * project, by comparing a listing with the one before: commands, other programs and a switch of the branch change files
 * past Folio's tools, and whatever watches a disk reports it late.
 */

import type { FileSystem } from '../platform/fileSystem.ts';
import type { Search } from '../platform/search.ts';
import type { Connection } from './connection.ts';
import { toUri } from './places.ts';

/** Files that say what a project is. */
const projectFile = /\.(?:json|toml|mod|sum|work|lock)$|[\\/]compile_flags\.txt$/;

/** Files that are looked after; of a larger project only the first. */
const maxFiles = 20_000;

const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;

interface WatchPorts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly search: Pick<Search, 'findFiles'>;
  /** Absolute, real. */
  readonly folders: readonly string[];
  /** Names of folders that are left out. */
  readonly exclude: () => readonly string[];
}

export class WatchedFiles {
  private readonly ports: WatchPorts;
  private readonly isKnown: (path: string) => boolean;
  private known: ReadonlyMap<string, string> | undefined;

  /** @param isKnown whether the server knows the language of a file */
  constructor(ports: WatchPorts, isKnown: (path: string) => boolean) {
    this.ports = ports;
    this.isKnown = isKnown;
  }

  /** Paths as they were last listed. */
  get paths(): readonly string[] {
    return [...(this.known?.keys() ?? [])];
  }

  /** Tells the server of what changed since the last listing; the first tells nothing. True: something did. */
  async refresh(connection: Pick<Connection, 'notify'> | undefined, signal: AbortSignal): Promise<boolean> {
    const now = await this.list(signal);
    const before = this.known;
    this.known = now;
    if (!before || !connection) return false;
    const changes: { uri: string; type: number }[] = [...now].flatMap(([path, state]) => {
      const old = before.get(path);
      if (old === state) return [];
      return [{ uri: toUri(path), type: old === undefined ? changeTypes.created : changeTypes.changed }];
    });
    const gone = [...before.keys()].filter(path => !now.has(path));
    changes.push(...gone.map(path => ({ uri: toUri(path), type: changeTypes.deleted })));
    if (changes.length > 0) connection.notify('workspace/didChangeWatchedFiles', { changes });
    return changes.length > 0;
  }

  private async list(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { files, search, folders } = this.ports;
    const exclude = this.ports.exclude();
    const found: string[] = [];
    for (const folder of folders) {
      const query = { folder, pattern: '**/*', respectGitIgnore: true, respectGeminiIgnore: false, exclude };
      const { paths } = await search.findFiles(query, signal);
      for (const path of paths) if (projectFile.test(path) || this.isKnown(path)) found.push(path);
    }
    const paths = found.toSorted().slice(0, maxFiles);
    const states = await Promise.all(
      paths.map(async path => {
        const stat = await files.stat(path).catch(() => undefined);
        return [path, stat && `${stat.modifiedAt} ${stat.size}`] as const;
      }),
    );
    return new Map(states.flatMap(([path, state]) => (state === undefined ? [] : [[path, state]])));
  }
}
