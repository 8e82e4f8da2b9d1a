/*
 * A user may check out another branch, or commit, while an unrelated command runs. A file that matches the new commit
 * is then not attributed to the command:
 *
 *     command runs in the background    the switch counts as a save by the user
 *     its call runs                     an unknown writer changed it during the command
 */

import type { ConcurrentWrite } from '../../platform/concurrentWrites.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ChangedFiles, VersionControl } from '../../platform/versionControl.ts';

/** Maximum files of a checkout whose baseline is updated. Further ones are not attributed to the command either. */
const maxReported = 2000;

interface SwitchPorts {
  readonly versionControl: Pick<VersionControl, 'changedFiles'>;
  readonly files: Pick<FileSystem, 'readSaved' | 'stat'>;
  readonly hear: (write: ConcurrentWrite) => void;
  /** The command names Git, so it may have switched the branch itself. */
  readonly usesGit: boolean;
}

export class BranchSwitches {
  private readonly around: SwitchPorts;
  /** The last reported commit of each folder. */
  private readonly heard = new Map<string, string | null>();

  constructor(around: SwitchPorts) {
    this.around = around;
  }

  /**
   * Returns the files that match a commit checked out meanwhile.
   * @param since the commit before the command
   */
  async find(
    folder: string,
    since: string | null,
    now: ChangedFiles,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { versionControl, usesGit } = this.around;
    if (usesGit || now.isIndex || now.commit === since) return new Set();
    const own = await versionControl.changedFiles(folder, signal, now.commit);
    if (!own) return new Set();
    const changed = new Set(own.files.map(({ path }) => path));
    return new Set(now.files.flatMap(({ path }) => (changed.has(path) ? [] : [path])));
  }

  /** Updates the baseline of the command to the files after the switch. */
  async hear(folder: string, commit: string | null, switched: ReadonlySet<string>): Promise<void> {
    if (switched.size === 0 || this.heard.get(folder) === commit) return;
    this.heard.set(folder, commit);
    const { files, hear } = this.around;
    for (const path of [...switched].slice(0, maxReported)) {
      const isThere = (await files.stat(path))?.kind === 'file';
      hear({ path, before: undefined, after: isThere ? await files.readSaved(path) : null });
    }
  }
}
