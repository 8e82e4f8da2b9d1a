/*
 * A user may check out another branch, or commit, while a command runs that has nothing to do with Git. A file that
 * stands as the new commit has it is then not the command's:
 *
 *     the command waits in the background    the switch is heard like a save of the user
 *     its call runs                          somebody wrote it, while the command ran
 */

import type { FileSystem } from '../../platform/fileSystem.ts';
import type { OtherWrite } from '../../platform/otherWriters.ts';
import type { ChangedFiles, VersionControl } from '../../platform/versionControl.ts';

/** Files of one switch that are heard of; the others are only left out as long as nobody changes them. */
const heardFiles = 2000;

interface SwitchPorts {
  readonly versionControl: Pick<VersionControl, 'changedFiles'>;
  readonly files: Pick<FileSystem, 'readSaved' | 'stat'>;
  readonly hear: (write: OtherWrite) => void;
  /** The command names Git, so it may have switched itself. */
  readonly usesGit: boolean;
}

export class BranchSwitches {
  private readonly around: SwitchPorts;
  /** By folder: the commit that was heard of last. */
  private readonly heard = new Map<string, string | null>();

  constructor(around: SwitchPorts) {
    this.around = around;
  }

  /**
   * The files that stand as a commit has them that was checked out since.
   * @param since the commit from before the command
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

  /** From now on the command is compared with what the switch left. */
  async hear(folder: string, commit: string | null, switched: ReadonlySet<string>): Promise<void> {
    if (switched.size === 0 || this.heard.get(folder) === commit) return;
    this.heard.set(folder, commit);
    const { files, hear } = this.around;
    for (const path of [...switched].slice(0, heardFiles)) {
      const isThere = (await files.stat(path))?.kind === 'file';
      hear({ path, before: undefined, after: isThere ? await files.readSaved(path) : null });
    }
  }
}
