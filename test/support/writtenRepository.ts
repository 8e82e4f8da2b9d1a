/* Repositories for random runs: a fast one over copies of a few files, and a real one. */

import { execFileSync } from 'node:child_process';
import { lstat, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFiles } from '../../src/extension/node/git/gitFiles.ts';
import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';
import { git, initRepository } from './gitRepository.ts';

interface CommittedCopy {
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly isLink: boolean;
}

async function readCopy(path: string): Promise<CommittedCopy> {
  const { mode } = await lstat(path);
  const isLink = (mode & 0o170000) === 0o120000;
  const bytes = isLink ? Buffer.from(await readlink(path)) : await readFile(path);
  return { bytes, executable: !isLink && (mode & 0o100) !== 0, isLink };
}

/** Commits are copies of the files, and the newest is checked out. */
class CopiedCommits implements VersionControl {
  private readonly commits: ReadonlyMap<string, CommittedCopy>[] = [];
  private readonly root: string;
  private readonly names: readonly string[];

  constructor(root: string, names: readonly string[]) {
    this.root = root;
    this.names = names;
  }

  async commit(): Promise<void> {
    const copies = this.names.map(async name => [name, await readCopy(join(this.root, name))] as const);
    this.commits.push(new Map(await Promise.all(copies)));
  }

  async changedFiles(folder: string, _signal: AbortSignal, since?: string | null): Promise<ChangedFiles> {
    const newest = String(this.commits.length - 1);
    const commit = since ?? newest;
    const copies = this.commits[Number(commit)]!;
    const files = [];
    for (const [name, { bytes, executable, isLink }] of copies) {
      const path = join(folder, name);
      const present = await readCopy(path);
      const isSame =
        present.bytes.equals(bytes) && present.executable === executable && present.isLink === isLink;
      if (!isSame) files.push({ path, committed: `${commit} ${name}`, executable, isLink });
    }
    return { commit: newest, files };
  }

  async readCommitted(
    _folder: string,
    committed: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(
      committed.map(each => {
        const [commit, name] = each.split(' ') as [string, string];
        return [each, this.commits[Number(commit)]!.get(name)!.bytes];
      }),
    );
  }
}

export interface Repository {
  readonly versionControl: VersionControl;
  readonly commit: () => Promise<void>;
  /** Commits what stands there, and on another branch what `change` makes of it; goes back, and there again. */
  readonly visitBranch: (change: () => Promise<void>) => Promise<void>;
  /** As a command would: past Folio. */
  readonly write: (path: string, text: string) => Promise<void>;
}

export type OpenRepository = (root: string, files: Readonly<Record<string, string>>) => Promise<Repository>;

export async function openCopies(root: string, files: Readonly<Record<string, string>>): Promise<Repository> {
  const versionControl = new CopiedCommits(root, Object.keys(files));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  await versionControl.commit();
  const commit = () => versionControl.commit();
  const visitBranch = async (change: () => Promise<void>) => {
    await commit();
    await change();
    await commit();
  };
  return { versionControl, commit, visitBranch, write: writeFile };
}

/** A real repository, and a real shell that writes. */
export async function openGit(root: string, files: Readonly<Record<string, string>>): Promise<Repository> {
  await initRepository(root, files);
  let branches = 0;
  const commit = async () => {
    await git(root, 'checkout', '-qb', `branch${++branches}`);
    await git(root, 'commit', '-qam', 'Work', '--allow-empty');
  };
  return {
    versionControl: new GitFiles(),
    commit,
    visitBranch: async change => {
      await commit();
      await change();
      await commit();
      await git(root, 'checkout', '-q', `branch${branches - 1}`);
      await git(root, 'checkout', '-q', `branch${branches}`);
    },
    write: async (path, text) => void execFileSync('sh', ['-c', 'cat > "$0"', path], { input: text }),
  };
}
