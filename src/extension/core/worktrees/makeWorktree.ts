/* A new worktree with what it gets beside the files of the repository. */

import { formatList, t } from '../../../protocol/language.ts';
import type { Worktree, WorktreeRequest, Worktrees } from '../../platform/worktrees.ts';
import { chooseCopies } from './chooseCopies.ts';

/** The user for whom it is made. */
interface WorktreeUser {
  /** Asks whether these may be copied, which hold secrets. */
  allowSecrets(secrets: readonly string[]): Promise<boolean>;
  /** Takes a sentence that stops nothing. */
  notify(sentence: string): void;
}

/**
 * All or nothing.
 * @param links folders that it shares with its home, relative to the root
 */
export async function makeWorktree(
  worktrees: Pick<Worktrees, 'listIncluded' | 'create' | 'share' | 'remove'>,
  request: Omit<WorktreeRequest, 'copies'>,
  links: readonly string[],
  { allowSecrets, notify }: WorktreeUser,
  signal: AbortSignal,
): Promise<Worktree> {
  const copies = await chooseCopies(worktrees, request.folder, allowSecrets, signal);
  const made = await worktrees.create({ ...request, copies }, signal);
  try {
    const tracked = await worktrees.share(made, links, signal);
    if (tracked.length > 0)
      notify(t('Git does not ignore {0}, so the worktree does not share it.', formatList(tracked)));
    return made;
  } catch (error) {
    await worktrees.remove(made, new AbortController().signal);
    throw error;
  }
}
