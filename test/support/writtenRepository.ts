/* Repositories for random runs: a fast one in memory, and a real one. */

import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import type { FileSystem } from '../../src/extension/platform/fileSystem.ts';
import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';
import { git, initRepository, makeFolder } from './gitRepository.ts';
import { HostedGit } from './hostedGit.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';

interface CommittedCopy {
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly isLink: boolean;
}

/** Version control in memory, whose commits are copies of the files. */
class CopiedCommits implements VersionControl {
  private readonly commits: ReadonlyMap<string, CommittedCopy>[] = [];
  private readonly disk: FileSystem;
  private readonly paths: readonly string[];
  private checkedOut = -1;

  constructor(disk: FileSystem, paths: readonly string[]) {
    this.disk = disk;
    this.paths = paths;
  }

  async commit(): Promise<void> {
    const copies = this.paths.map(async path => [path, await this.readCopy(path)] as const);
    this.checkedOut = this.commits.push(new Map(await Promise.all(copies))) - 1;
  }

  /** Checks out the previous commit. Like Git, writes only files that differ. */
  async checkOutPrevious(): Promise<void> {
    this.checkedOut = this.commits.length - 2;
    for (const [path, { bytes, executable }] of this.commits[this.checkedOut]!) {
      const present = await this.readCopy(path);
      if (!present.bytes.equals(bytes)) await this.disk.writeBytes(path, bytes);
      if (present.executable !== executable) await this.disk.setExecutable(path, executable);
    }
  }

  async changedFiles(_folder: string, _signal: AbortSignal, since?: string | null): Promise<ChangedFiles> {
    const present = String(this.checkedOut);
    const commit = since ?? present;
    const files = [];
    for (const [path, { bytes, executable, isLink }] of this.commits[Number(commit)]!) {
      const found = await this.readCopy(path);
      const isSame = found.bytes.equals(bytes) && found.executable === executable && found.isLink === isLink;
      if (!isSame) files.push({ path, committed: `${commit} ${path}`, executable, isLink });
    }
    return { commit: present, files };
  }

  async readCommitted(
    _folder: string,
    committed: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(
      committed.map(each => {
        const [commit, path] = each.split(' ') as [string, string];
        return [each, this.commits[Number(commit)]!.get(path)!.bytes];
      }),
    );
  }

  private async readCopy(path: string): Promise<CommittedCopy> {
    const link = await this.disk.readLink(path);
    if (link !== undefined) return { bytes: Buffer.from(link), executable: false, isLink: true };
    const [bytes, stat] = [await this.disk.readBytes(path), await this.disk.stat(path)];
    return { bytes: Buffer.from(bytes), executable: stat?.executable === true, isLink: false };
  }
}

export interface Repository {
  /** Absolute, real. */
  readonly root: string;
  /** File system below editors and Folio. */
  readonly disk: FileSystem;
  readonly versionControl: VersionControl;
  readonly commit: () => Promise<void>;
  /** Commits all files, then commits `change` on another branch, which is checked out. */
  readonly branchOff: (change: () => Promise<void>) => Promise<void>;
  /** Checks out the original branch. No file may have changed since `branchOff`. */
  readonly goBack: () => Promise<void>;
  /** Writes like a command. */
  readonly write: (path: string, text: string) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

export type OpenRepository = (files: Readonly<Record<string, string>>) => Promise<Repository>;

export async function openCopies(files: Readonly<Record<string, string>>): Promise<Repository> {
  const root = '/work';
  const contents = Object.entries(files).map(([name, text]) => [`${root}/${name}`, text] as const);
  const disk = new MemoryFileSystem(Object.fromEntries(contents));
  const versionControl = new CopiedCommits(
    disk,
    contents.map(([path]) => path),
  );
  await versionControl.commit();
  const commit = () => versionControl.commit();
  return {
    root,
    disk,
    versionControl,
    commit,
    branchOff: async change => {
      await commit();
      await change();
      await commit();
    },
    goBack: () => versionControl.checkOutPrevious(),
    write: (path, text) => disk.writeBytes(path, Buffer.from(text)),
    dispose: async () => {},
  };
}

/** Makes a real repository with a real shell. */
export async function openGit(files: Readonly<Record<string, string>>): Promise<Repository> {
  const { root } = await makeFolder();
  await initRepository(root, files);
  let branches = 0;
  const commit = async () => {
    await git(root, 'checkout', '-qb', `branch${++branches}`);
    await git(root, 'commit', '-qam', 'Work', '--allow-empty');
  };
  return {
    root,
    disk: new NodeFileSystem(),
    versionControl: new HostedGit(),
    commit,
    branchOff: async change => {
      await commit();
      await change();
      await commit();
      await git(root, 'checkout', '-q', `branch${branches - 1}`);
      await git(root, 'checkout', '-q', `branch${branches}`);
    },
    goBack: async () => void (await git(root, 'checkout', '-q', `branch${branches - 1}`)),
    write: async (path, text) => void execFileSync('sh', ['-c', 'cat > "$0"', path], { input: text }),
    dispose: () => rm(root, { recursive: true, force: true }),
  };
}
