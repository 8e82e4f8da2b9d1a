import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';

/** Version control that says what a test tells it to: nothing, until told. */
export class FakeVersionControl implements VersionControl {
  /** By folder; a folder that is not named is not under version control. */
  readonly changed = new Map<string, ChangedFiles>();
  /** By what names it; nothing else can be had. */
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
