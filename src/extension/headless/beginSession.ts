/* Starts the session of a run: in the workspace, in a new worktree, or in the workspace's container. */

import type { EmittedEvent } from '../../protocol/fold/agents.ts';
import { LocalizedError } from '../base/errors.ts';
import { escapeInvisibleText } from '../base/hiddenText.ts';
import type { Session } from '../core/session/session.ts';
import { confirmContainer } from '../core/worktrees/confirmContainer.ts';
import { makeWorktree, type WorktreeDialogs } from '../core/worktrees/makeWorktree.ts';
import { type HeadlessArguments, RunRefusal, UsageError } from './arguments.ts';
import type { HeadlessAgent } from './headlessAgent.ts';

export interface BegunSession {
  readonly session: Session;
  /** Command that sets its new worktree up. Empty if none. */
  readonly setUp: string;
}

/** @param warn receives a message for the user */
export async function beginSession(
  args: HeadlessArguments,
  made: HeadlessAgent,
  listener: (event: EmittedEvent) => void,
  warn: (sentence: string) => void,
): Promise<BegunSession> {
  const { worktree: wanted, workspace: folder, driver } = args;
  if (args.container) return { session: await beginInContainer(made, listener, warn), setUp: '' };
  if (!wanted) return { session: made.agent.newSession(listener, { driver: driver?.name }), setUp: '' };
  if (!made.trusted) throw new UsageError('The workspace is restricted, so no worktree is made of it.');
  try {
    const { worktrees, worktreeSettings: settings, place } = made;
    const { signal } = new AbortController();
    const request = { folder, ...wanted };
    const { worktree, setUp } = await makeWorktree(
      { worktrees, files: place.files, settings },
      request,
      nobody(warn),
      signal,
    );
    return { session: made.agent.newSession(listener, { place: worktree, driver: driver?.name }), setUp };
  } catch (error) {
    throw error instanceof LocalizedError ? new RunRefusal(error.message) : error;
  }
}

async function beginInContainer(
  { agent, place }: HeadlessAgent,
  listener: (event: EmittedEvent) => void,
  warn: (sentence: string) => void,
): Promise<Session> {
  const { containers, consent, folders } = place;
  const { signal } = new AbortController();
  const confirm = async ({ sentence, text }: { readonly sentence: string; readonly text: string }) => {
    warn(`${sentence}\n${escapeInvisibleText(text)}`);
    return 'nobody' as const;
  };
  try {
    const container = await confirmContainer(containers, consent, folders[0] ?? '', { confirm }, signal);
    return agent.newSession(listener, { place: container });
  } catch (error) {
    throw error instanceof LocalizedError ? new RunRefusal(error.message) : error;
  }
}

function nobody(warn: (sentence: string) => void): WorktreeDialogs {
  return {
    notify: warn,
    choose: async () => 'nobody',
    allowSecrets: async secrets => {
      warn(`Not copied into the worktree, since they may hold secrets: ${secrets.join(', ')}`);
      return false;
    },
  };
}
