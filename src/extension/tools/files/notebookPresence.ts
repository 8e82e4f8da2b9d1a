import { isNotebookPath } from '../../notebooks/findFault.ts';
import type { Search } from '../../platform/search.ts';

interface PresencePorts {
  readonly search: Pick<Search, 'findFiles'>;
  /** Absolute. */
  readonly folders: readonly string[];
  /** Names of folders with dependencies and builds. */
  readonly ignoredFolders: () => readonly string[];
}

/**
 * Detects whether a session works with notebooks, since their tool is declared in each request. Decided when a turn
 * begins, and stable until the next.
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

  /** Called when the session reads or writes a file. */
  saw(path: string): void {
    if (isNotebookPath(path)) this.isFound = true;
  }

  /** Call at the start of a turn. Searches the folders once; never rejects. */
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
    // A folder that cannot be searched counts as empty, until a notebook in it is read.
    if (found.some(each => each.status === 'fulfilled' && each.value.paths.length > 0)) this.isFound = true;
  }
}
