import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Container, IsolatedPlace, Worktree } from '../../../protocol/worktree.ts';
import type { Containers } from '../../platform/containers.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { CommitRequest, Worktrees } from '../../platform/worktrees.ts';
import { CommandError } from '../commandError.ts';
import {
  type ContainerConsent,
  type ContainerDialogs,
  confirmContainer,
} from '../worktrees/confirmContainer.ts';
import type { WorktreeSettings } from '../worktrees/makeWorktree.ts';
import type { ChangeTransfer } from '../worktrees/moveChanges.ts';
import { type TransferredFile, WorktreeTransfer } from '../worktrees/worktreeTransfer.ts';

export interface WorktreeAccess {
  readonly worktrees: Worktrees;
  /** Absolute path of the first workspace folder; absent: none is open. */
  readonly folder: string | undefined;
  readonly files: FileSystem;
  readonly settings: WorktreeSettings;
  /** True if another open session works there. */
  isUsed(path: string): boolean;
  /** Compares a worktree with its home. */
  worktreeTransferOf(worktree: Worktree): WorktreeTransfer;
  /** Moves changes between the shown session's worktree and its home. @param text the user's words */
  moveChanges(text: string, wanted: ChangeTransfer): Promise<readonly TransferredFile[]>;
  /** Commits with what each chapter of the shown session left in its worktree. */
  readonly branch: {
    commits(): Promise<readonly CommitRequest[]>;
    /** Records that a branch contains everything in the shown session's worktree. */
    note(): void;
  };
  /** Looks for a program on PATH, outside the workspace. */
  hasProgram(name: string): boolean;
  /**
   * Moves the shown session there; an empty session starts there.
   * @param place absent: the workspace folders
   */
  move(place: IsolatedPlace | undefined): Promise<void>;
  /** Returns the workspace's container once the user agreed. Rejects with `LocalizedError`. */
  container(user: ContainerDialogs, signal: AbortSignal): Promise<Container>;
  /** Starts the set-up of the shown session's worktree. @param command not empty */
  setUp(command: string): void;
}

export interface WorktreeHost {
  readonly worktrees: Worktrees;
  readonly versionControl: VersionControl;
  readonly files: FileSystem;
  readonly programs: { find(name: string): string | undefined };
  /** As `folder` of `WorktreeAccess`. */
  readonly folder: string | undefined;
  readonly settings: WorktreeSettings;
  readonly containers: Pick<Containers, 'plan'>;
  readonly consent: ContainerConsent;
}

export function worktreeAccess(
  { worktrees, versionControl, files, folder, settings, programs, containers, consent }: WorktreeHost,
  session: Pick<WorktreeAccess, 'moveChanges' | 'branch' | 'move' | 'isUsed' | 'setUp'>,
): WorktreeAccess {
  return {
    worktrees,
    folder,
    files,
    settings,
    hasProgram: name => programs.find(name) !== undefined,
    worktreeTransferOf: worktree => new WorktreeTransfer(worktree, { worktrees, versionControl, files }),
    container: async (user, signal) => {
      if (folder === undefined)
        throw new CommandError(t('Open a folder first: its devcontainer.json describes the container.'));
      return await confirmContainer(containers, consent, folder, user, signal);
    },
    ...session,
  };
}

/** Throws a `CommandError` while the session runs, since it cannot move then. */
export function assertResting({ activity }: Pick<SessionState, 'activity'>): void {
  if (activity.status !== 'resting')
    throw new CommandError(t('The agent is working. Stop it, or wait until it is done.'));
}
