import { isNotebookPath } from '../../notebooks/findFault.ts';
import type { Search } from '../../platform/search.ts';

interface PresencePorts {
  readonly search: Pick<Search, 'findFiles'>;
  /** Absolute. */
  readonly folders: readonly string[];
  /** Names of folders that hold dependencies and builds. */
  readonly ignoredFolders: () => readonly string[];
}

/**
 * Says whether a session has to do with notebooks. The tool for them stands in each request, so it is only declared
 * where there are some; which tools there are is settled when a turn begins and stays until the next.
 */
export class NotebookPresence {
  private readonly ports: PresencePorts;
  private checked: Promise<void> | undefined;
  private isFound = false;
  private isSettled = false;

  constructor(ports: PresencePorts) {
    this.ports = ports;
  }

  get isThere(): boolean {
    return this.isSettled;
  }

  /** The session reads or writes this file. */
  saw(path: string): void {
    if (isNotebookPath(path)) this.isFound = true;
  }

  /** At the start of a turn. Searches the folders once; never rejects. */
  async settle(): Promise<void> {
    this.checked ??= this.scan();
    await this.checked;
    this.isSettled = this.isFound;
  }

  private async scan(): Promise<void> {
    const { search, folders, ignoredFolders } = this.ports;
    const { signal } = new AbortController();
    const query = { pattern: '**/*.ipynb', caseSensitive: false, exclude: ignoredFolders() };
    const found = await Promise.allSettled(
      folders.map(folder => search.findFiles({ folder, ...query }, signal)),
    );
    // A folder that cannot be searched has none that anybody finds; one that is read later counts.
    if (found.some(each => each.status === 'fulfilled' && each.value.paths.length > 0)) this.isFound = true;
  }
}
