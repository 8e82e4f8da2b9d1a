import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { LocalizedError } from '../../../base/errors.ts';
import { CommandError } from '../../commandError.ts';
import type { CommandContext } from '../commands.ts';
import type { WorktreeAccess } from '../worktreeAccess.ts';

/** Shows errors of Git to the user. */
export async function withWorktreeAccess(
  surface: CommandContext,
  work: (access: WorktreeAccess, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const access = await surface.installed.worktrees();
  try {
    return await surface.user.working(t('Folio: working on worktrees…'), signal => work(access, signal));
  } catch (error) {
    if (error instanceof LocalizedError) throw new CommandError(error.say());
    throw error;
  }
}

export function expectWorktree(surface: CommandContext): NonNullable<SessionState['worktree']> {
  const { worktree } = surface.session.state();
  if (worktree) return worktree;
  throw new CommandError(t('The session works in the workspace. /isolate gives it a worktree of its own.'));
}
