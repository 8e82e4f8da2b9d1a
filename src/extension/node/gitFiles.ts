import type { ChangedFile, VersionControl } from '../platform/versionControl.ts';

export class GitFiles implements VersionControl {
  async changedFiles(): Promise<readonly ChangedFile[] | undefined> {
    return undefined;
  }

  async readIndexed(): Promise<Uint8Array | undefined> {
    return undefined;
  }
}
