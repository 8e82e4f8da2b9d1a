/*
 * Files that a server knows but has not open. Before a request about the project, it is told what changed since the
 * last listing: commands, other programs and branch switches change files without Folio's tools, and file watchers
 * report late.
 */

import type { FileSystem } from '../platform/fileSystem.ts';
import type { Search } from '../platform/search.ts';
import type { LanguageServerConnection } from './connection.ts';
import { toUri } from './places.ts';

/** Configuration files of a project. */
const projectFile = /\.(?:json|toml|mod|sum|work|lock)$|[\\/]compile_flags\.txt$/;

/** Maximal number of files. Of a larger project only the first are watched. */
const maxFiles = 20_000;

const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;

interface WatchPorts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly search: Pick<Search, 'findFiles'>;
  /** Absolute, real. */
  readonly folders: readonly string[];
  /** Names of excluded folders. */
  readonly exclude: () => readonly string[];
}

export class WatchedFiles {
  private readonly ports: WatchPorts;
  private readonly isKnown: (path: string) => boolean;
  private known: ReadonlyMap<string, string> | undefined;

  /** @param isKnown whether the server handles the language of a file */
  constructor(ports: WatchPorts, isKnown: (path: string) => boolean) {
    this.ports = ports;
    this.isKnown = isKnown;
  }

  /** Paths of the last listing. */
  get paths(): readonly string[] {
    return [...(this.known?.keys() ?? [])];
  }

  /** Reports changes since the last listing to the server; none on the first call. Returns true if there were any. */
  async refresh(
    connection: Pick<LanguageServerConnection, 'notify'> | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
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
