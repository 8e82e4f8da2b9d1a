import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Container, Elsewhere, Worktree } from '../../../protocol/worktree.ts';
import type { Containers } from '../../platform/containers.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import type { CommitRequest, Worktrees } from '../../platform/worktrees.ts';
import { Refusal } from '../refusal.ts';
import { type Agreements, agreeToContainer, type ContainerUser } from '../worktrees/agreeToContainer.ts';
import { type BroughtFile, Homecoming } from '../worktrees/homecoming.ts';
import type { WorktreeSettings } from '../worktrees/makeWorktree.ts';
import type { ChangeTransfer } from '../worktrees/moveChanges.ts';

/** Worktrees, for commands. */
export interface WorktreeAccess {
  readonly worktrees: Worktrees;
  /** The first folder of the workspace, absolute; absent: none is open. */
  readonly folder: string | undefined;
  readonly files: FileSystem;
  readonly settings: WorktreeSettings;
  /** Another session that is open works there. */
  isUsed(path: string): boolean;
  /** Finds what a worktree holds that is not at home. */
  homecomingOf(worktree: Worktree): Homecoming;
  /** Moves changes between the worktree of the shown session and home. @param text the user's words */
  moveChanges(text: string, wanted: ChangeTransfer): Promise<readonly BroughtFile[]>;
  /** Commits of what each chapter of the shown session left in its worktree. */
  readonly branch: {
    commits(): Promise<readonly CommitRequest[]>;
    /** A branch has all that the worktree of the shown session holds. */
    note(): void;
  };
  /** Finds a program on PATH; none of the workspace. */
  hasProgram(name: string): boolean;
  /**
   * The shown session works there from now on; one in which nothing was asked begins there.
   * @param place absent: in the folders of the workspace
   */
  move(place: Elsewhere | undefined): Promise<void>;
  /** The container of the workspace, once the user has agreed to it. Rejects with `SpokenError`. */
  container(user: ContainerUser, signal: AbortSignal): Promise<Container>;
  /** Begins to set up the worktree of the shown session. @param command not empty */
  setUp(command: string): void;
}

export interface WorktreeHost {
  readonly worktrees: Worktrees;
  readonly versionControl: VersionControl;
  readonly files: FileSystem;
  readonly programs: { find(name: string): string | undefined };
  /** As `WorktreeAccess`. */
  readonly folder: string | undefined;
  readonly settings: WorktreeSettings;
  readonly containers: Pick<Containers, 'plan'>;
  readonly consent: Agreements;
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
    homecomingOf: worktree => new Homecoming(worktree, { worktrees, versionControl, files }),
    container: async (user, signal) => {
      if (folder === undefined)
        throw new Refusal(t('Open a folder first: its devcontainer.json describes the container.'));
      return await agreeToContainer(containers, consent, folder, user, signal);
    },
    ...session,
  };
}

/** A session at work cannot go on in another place. */
export function expectRest({ activity }: Pick<SessionState, 'activity'>): void {
  if (activity.status !== 'resting')
    throw new Refusal(t('The agent is working. Stop it, or wait until it is done.'));
}
