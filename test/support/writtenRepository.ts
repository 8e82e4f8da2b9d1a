/* Repositories for random runs: a fast one over copies of a few files, and a real one. */

import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFiles } from '../../src/extension/node/git/gitFiles.ts';
import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';
import { git, initRepository } from './gitRepository.ts';

interface CommittedCopy {
  readonly bytes: Buffer;
  readonly executable: boolean;
}

async function readCopy(path: string): Promise<CommittedCopy> {
  const [bytes, { mode }] = await Promise.all([readFile(path), stat(path)]);
  return { bytes, executable: (mode & 0o100) !== 0 };
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
    for (const [name, { bytes, executable }] of copies) {
      const path = join(folder, name);
      const present = await readCopy(path);
      const isSame = present.bytes.equals(bytes) && present.executable === executable;
      if (!isSame) files.push({ path, committed: `${commit} ${name}`, executable });
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
  /** As a command would: past Folio. */
  readonly write: (path: string, text: string) => Promise<void>;
}

export type OpenRepository = (root: string, files: Readonly<Record<string, string>>) => Promise<Repository>;

export async function openCopies(root: string, files: Readonly<Record<string, string>>): Promise<Repository> {
  const versionControl = new CopiedCommits(root, Object.keys(files));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  await versionControl.commit();
  return { versionControl, commit: () => versionControl.commit(), write: writeFile };
}

/** A real repository, and a real shell that writes. */
export async function openGit(root: string, files: Readonly<Record<string, string>>): Promise<Repository> {
  await initRepository(root, files);
  let branches = 0;
  return {
    versionControl: new GitFiles(),
    commit: async () => {
      await git(root, 'checkout', '-qb', `branch${++branches}`);
      await git(root, 'commit', '-qam', 'Work', '--allow-empty');
    },
    write: async (path, text) => void execFileSync('sh', ['-c', 'cat > "$0"', path], { input: text }),
  };
}
