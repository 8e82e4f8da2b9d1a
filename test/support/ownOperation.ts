/* One operation of Folio on worktrees: in the process of a test, or as a program that may be killed. */

import { join } from 'node:path';
import { updateWorktree } from '../../src/extension/core/worktrees/updateWorktree.ts';
import { WorktreeTransfer } from '../../src/extension/core/worktrees/worktreeTransfer.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { GitFiles } from '../../src/extension/node/git/gitFiles.ts';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { Worktree } from '../../src/protocol/worktree.ts';

export type OwnOperation =
  | { readonly kind: 'create'; readonly name: string; readonly start: 'seen' | 'head' }
  | { readonly kind: 'list' }
  | { readonly kind: 'changes'; readonly worktree: Worktree }
  | { readonly kind: 'bring'; readonly worktree: Worktree }
  | { readonly kind: 'update'; readonly worktree: Worktree }
  | { readonly kind: 'mark'; readonly worktree: Worktree; readonly path: string }
  | { readonly kind: 'branch'; readonly worktree: Worktree; readonly branch: string }
  | { readonly kind: 'remove'; readonly name: string };

export interface OwnResult {
  readonly worktree?: Worktree;
  readonly names?: readonly string[];
}

/** @param root of the user's working tree. @param folder holds the worktrees */
export async function runOwnOperation(
  operation: OwnOperation,
  root: string,
  folder: string,
): Promise<OwnResult> {
  const { signal } = new AbortController();
  const programs = new ProgramFinder(() => [root]);
  const worktrees = new GitWorktrees(join(folder, 'worktrees'), programs);
  const files = new NodeFileSystem();
  const versionControl = new GitFiles(programs, 60_000);
  const worktreeTransferOf = (worktree: Worktree) =>
    new WorktreeTransfer(worktree, { worktrees, versionControl, files });
  switch (operation.kind) {
    case 'create': {
      const { name, start } = operation;
      return {
        worktree: await worktrees.create({ folder: root, name, start: { kind: start }, copies: [] }, signal),
      };
    }
    case 'list':
      return { names: (await worktrees.list(root, signal)).map(({ name }) => name) };
    case 'changes': {
      const worktreeTransfer = worktreeTransferOf(operation.worktree);
      const changed = await worktreeTransfer.listChanges({}, signal);
      return { names: changed.map(file => worktreeTransfer.inTree(file)) };
    }
    case 'bring':
      await worktreeTransferOf(operation.worktree).bring({}, { into: files, replacing: () => {}, signal });
      return {};
    case 'update':
      await updateWorktree(worktreeTransferOf(operation.worktree), {
        into: files,
        replacing: () => {},
        signal,
      });
      return {};
    case 'mark': {
      const worktreeTransfer = worktreeTransferOf(operation.worktree);
      const { theirs } = await worktreeTransfer.readConflict(operation.path, signal);
      await worktreeTransfer.mark([theirs], () => {}, signal);
      return {};
    }
    case 'branch': {
      const branch = { name: operation.branch, beginning: 'Begun', commits: [], message: 'Work' };
      await worktrees.makeBranch(operation.worktree, branch, signal);
      return {};
    }
    case 'remove': {
      const listed = (await worktrees.list(root, signal)).find(({ name }) => name === operation.name);
      if (listed) await worktrees.remove({ path: listed.path, home: root }, signal);
      return {};
    }
  }
}

if (import.meta.main) {
  const [operation, root, folder] = JSON.parse(process.argv[2]!) as [OwnOperation, string, string];
  console.log(JSON.stringify(await runOwnOperation(operation, root, folder)));
}
