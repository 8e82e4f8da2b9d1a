import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';

/** Version control with the answers of a test. */
export class FakeVersionControl implements VersionControl {
  /** Changes by folder. Other folders are not under version control. */
  readonly changed = new Map<string, ChangedFiles>();
  /** Committed contents by name. */
  readonly committed = new Map<string, Uint8Array>();

  async changedFiles(folder: string, signal: AbortSignal): Promise<ChangedFiles | undefined> {
    signal.throwIfAborted();
    return this.changed.get(folder);
  }

  async readCommitted(
    _folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    signal.throwIfAborted();
    return new Map([...this.committed].filter(([name]) => committed.includes(name)));
  }
}
