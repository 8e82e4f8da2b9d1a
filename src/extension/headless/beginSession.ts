/* A new session of a run: in the workspace, or in a worktree that is made for it. */

import type { EmittedEvent } from '../../protocol/fold/agents.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { SpokenError } from '../base/errors.ts';
import type { Session } from '../core/session/session.ts';
import { makeWorktree } from '../core/worktrees/makeWorktree.ts';
import { type HeadlessArguments, PromptError, UsageError } from './arguments.ts';
import type { RunAgent } from './runAgent.ts';

/** @param warn takes a sentence for the user */
export async function beginSession(
  args: HeadlessArguments,
  made: RunAgent,
  listener: (event: EmittedEvent) => void,
  warn: (sentence: string) => void,
): Promise<Session> {
  return made.agent.newSession(listener, await createWorktree(args, made, warn));
}

async function createWorktree(
  { worktree, workspace }: HeadlessArguments,
  { worktrees, trusted, settings }: RunAgent,
  warn: (sentence: string) => void,
): Promise<Worktree | undefined> {
  if (!worktree) return undefined;
  if (!trusted) throw new UsageError('The workspace is restricted, so no worktree is made of it.');
  try {
    const { signal } = new AbortController();
    const links = settings.get('worktree.link');
    const nobody = { allowSecrets: leaveOut(warn), notify: warn };
    return await makeWorktree(worktrees, { folder: workspace, ...worktree }, links, nobody, signal);
  } catch (error) {
    throw error instanceof SpokenError ? new PromptError(error.message) : error;
  }
}

function leaveOut(warn: (sentence: string) => void): (secrets: readonly string[]) => Promise<boolean> {
  return async secrets => {
    warn(`Not copied into the worktree, since they may hold secrets: ${secrets.join(', ')}`);
    return false;
  };
}
