/* Finds a saved session, and rewinds it. */

import { realpath } from 'node:fs/promises';
import type { EmittedEvent } from '../../protocol/fold/agents.ts';
import type { RewindScope } from '../../protocol/intentions.ts';
import { rewindPoints } from '../../protocol/state.ts';
import type { RestoredFile } from '../../protocol/values.ts';
import { workspaceFoldersOf } from '../../protocol/worktree.ts';
import { messageOf } from '../base/errors.ts';
import { formatQuantity } from '../base/text.ts';
import type { Session } from '../core/session/session.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import { SessionInUseError } from '../platform/storage.ts';
import { type RewindRequest, UsageError } from './arguments.ts';

/** The effect of a rewind, or of undoing one. */
export type RewindReport =
  | {
      readonly kind: 'rewound';
      /** Counted from 1. */
      readonly prompt: number;
      readonly text: string;
      readonly scope: RewindScope;
      readonly files: readonly RestoredFile[];
    }
  | { readonly kind: 'undone'; readonly files: readonly RestoredFile[] };

/** @param wanted an id, or `latest`. Throws `UsageError` if this workspace has no such session. */
export async function openEarlierSession(
  agent: SessionManager,
  wanted: string,
  workspace: string,
  listener: (reported: EmittedEvent) => void,
): Promise<Session> {
  const sessionId =
    wanted === 'latest'
      ? await agent.catalog.findNewest(folders => includesFolder(folders, workspace))
      : wanted;
  if (sessionId === undefined)
    throw new UsageError(`There is no session of ${workspace} to resume yet. Start one without --resume.`);
  const state = await agent.catalog.read(sessionId).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  const folders = workspaceFoldersOf(state);
  if (!(await includesFolder(folders, workspace))) {
    const owners = folders.length > 0 ? folders.join(', ') : 'a folder that its journal no longer names';
    throw new UsageError(`Session ${sessionId} belongs to ${owners}, not to ${workspace}.`);
  }
  return await agent.openSession(sessionId, listener).catch((error: unknown) => {
    throw error instanceof SessionInUseError ? new UsageError(error.message, { cause: error }) : error;
  });
}

export function rewindsFiles(request: RewindRequest): boolean {
  return request.kind === 'undo' || request.scope !== 'conversation';
}

export async function rewindSession(session: Session, request: RewindRequest): Promise<RewindReport> {
  if (request.kind === 'undo') {
    if (!session.state.rewound) throw new UsageError('There is no rewind to undo in this session.');
    return { kind: 'undone', files: await session.undoRewind() };
  }
  const prompts = rewindPoints(session.state);
  const prompt = prompts[request.prompt - 1];
  if (!prompt) {
    const count = formatQuantity(prompts.length, 'prompt');
    throw new UsageError(`There is no prompt ${request.prompt} to go back to: the session has ${count}.`);
  }
  const { scope } = request;
  const files = await session.rewind({ kind: 'turn', turnId: prompt.id }, scope);
  return { kind: 'rewound', prompt: request.prompt, text: prompt.text, scope, files };
}

/** Resolves links, since the same folder may have several names. */
export async function includesFolder(folders: readonly string[], workspace: string): Promise<boolean> {
  if (folders.includes(workspace)) return true;
  const real = await realpath(workspace);
  const others = await Promise.all(folders.map(folder => realpath(folder).catch(() => folder)));
  return others.includes(real);
}
