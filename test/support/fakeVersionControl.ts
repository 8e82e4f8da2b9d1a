import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';

/** Version control that says what a test tells it to: nothing, until told. */
export class FakeVersionControl implements VersionControl {
  /** By folder; a folder that is not named is not under version control. */
  readonly changed = new Map<string, ChangedFiles>();
  /** By what names it; reading anything else fails. */
  readonly committed = new Map<string, Uint8Array>();

  async changedFiles(folder: string, signal: AbortSignal): Promise<ChangedFiles | undefined> {
    signal.throwIfAborted();
    return this.changed.get(folder);
  }

  async readCommitted(_folder: string, committed: string, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const bytes = this.committed.get(committed);
    if (!bytes) throw new Error(`Nothing was committed as ${committed}.`);
    return bytes;
  }
}
