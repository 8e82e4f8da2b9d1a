/* Calls of the user that move changes between a worktree and its home. */

import { join } from 'node:path';
import * as z from 'zod';
import type { SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { type AnyTool, defineTool, ToolFailure } from '../tool.ts';
import { updateWorktree } from './updateWorktree.ts';
import {
  isTransferred,
  type TransferRequest,
  type TransferredFile,
  type TransferTarget,
  type WorktreeTransfer,
} from './worktreeTransfer.ts';

/** `home`: moves the session's changes to the user's files; `worktree`: the user's changes to the session's files. */
export type ChangeTransfer =
  | { readonly to: 'home'; readonly request: TransferRequest }
  | { readonly to: 'worktree' };

interface MovingSession {
  /** Like `Turns.runOwnCall`. */
  run(call: {
    readonly tool: AnyTool;
    readonly deed: string;
    readonly args: Readonly<Record<string, unknown>>;
  }): Promise<TurnEnd>;
  emit(event: SessionEventBody): void;
  /** Accepts pending changes of a file. */
  accept(path: string): void;
}

export async function moveChanges(
  wanted: ChangeTransfer,
  worktreeTransfer: WorktreeTransfer,
  session: MovingSession,
): Promise<readonly TransferredFile[]> {
  let moved: readonly TransferredFile[] = [];
  const tool = toolOf(wanted, worktreeTransfer, {
    replacing: (before, callId) => session.emit({ type: 'worktree.based', callId, before }),
    ended: files => {
      moved = files;
    },
  });
  const { name, path: root } = worktreeTransfer.worktree;
  const deed = {
    home: `they took the changes of the worktree ${name} into their own files`,
    worktree: `they took the changes of their own files into the worktree ${name}`,
  }[wanted.to];
  await session.run({ tool, deed, args: wanted.to === 'home' ? { ...wanted.request } : {} });
  // Changes brought home are reviewed there, and the user's own need no review.
  for (const { path, result } of moved) if (isTransferred(result)) session.accept(join(root, path));
  const left = await worktreeTransfer.listChanges({}, new AbortController().signal);
  const conflicts = wanted.to === 'home' ? moved.filter(({ result }) => result === 'conflict').length : 0;
  session.emit({ type: 'worktree.settled', left: left.length, conflicts });
  return moved;
}

interface MovingReport {
  /** Like in `TransferTarget`. */
  replacing(brought: string, callId: string): void;
  ended(files: readonly TransferredFile[]): void;
}

const input = lazySchema(() =>
  z.object({ paths: z.array(z.string()).readonly().optional(), again: z.boolean().optional() }),
);

function toolOf({ to }: ChangeTransfer, worktreeTransfer: WorktreeTransfer, report: MovingReport): AnyTool {
  const isHome = to === 'home';
  const move = (request: TransferRequest, bringing: TransferTarget) =>
    isHome ? worktreeTransfer.bring(request, bringing) : updateWorktree(worktreeTransfer, bringing);
  return defineTool({
    name: isHome ? 'bring_home' : 'update_worktree',
    description: isHome
      ? 'Brings the changes of the worktree into the working tree that it was made from.'
      : 'Brings the changes of the working tree that the worktree was made from into it.',
    input,
    effect: 'edit',
    title: () => (isHome ? t('Bring Home') : t('Update Worktree')),
    prepare: async () => ({ plan: undefined }),
    run: async (request, _plan, { files, signal, callId }) => {
      const replacing = (commit: string) => report.replacing(commit, callId);
      const moved = await move(request, { into: files, replacing, signal });
      report.ended(moved);
      if (moved.length === 0)
        throw new ToolFailure(() =>
          isHome ? t('There is nothing to bring home.') : t('Nothing changed in your files.'),
        );
      const describe = isHome ? describeBrought : describeUpdated;
      const text = moved.map(describe).join('\n');
      const summary = () => summarise(moved, to);
      return { text, display: { summary, detail: { kind: 'text', text } } };
    },
  });
}

function summarise(moved: readonly TransferredFile[], to: ChangeTransfer['to']): string {
  const done = moved.filter(({ result }) => isTransferred(result)).length;
  const inConflict = to === 'worktree' ? moved.filter(({ result }) => result === 'conflict').length : 0;
  const left = moved.length - done - inConflict;
  return [
    done > 0 && to === 'home' && plural(done, 'one: {0} file brought home | other: {0} files brought home'),
    done > 0 && to === 'worktree' && plural(done, 'one: {0} file updated | other: {0} files updated'),
    inConflict > 0 && plural(inConflict, 'one: {0} file with conflicts | other: {0} files with conflicts'),
    left > 0 && plural(left, 'one: {0} not changed | other: {0} not changed'),
  ]
    .filter(said => said !== false)
    .join(', ');
}

/** One line. */
function describeBrought(file: TransferredFile): string {
  const { path, result } = file;
  switch (result) {
    case 'merged':
      return t('{0}: merged with what changed here', path);
    case 'conflict':
      return t('{0}: not changed, both sides changed the same lines', path);
    case 'unresolved':
      return t('{0}: not changed, it has a conflict that the session must resolve first', path);
    case 'protected':
      return t('{0}: not changed, it is protected; name it in the command to include it', path);
    default:
      return describeEither(file);
  }
}

function describeUpdated(file: TransferredFile): string {
  const { path, result } = file;
  switch (result) {
    case 'merged':
      return t('{0}: merged with what the session changed', path);
    case 'conflict':
      return t('{0}: both sides changed the same lines, see the conflict markers', path);
    case 'apart':
      return t('{0}: not changed, one side deleted it or it is not text', path);
    case 'unresolved':
      return t('{0}: not changed, it still has a conflict from an earlier update', path);
    default:
      return describeEither(file);
  }
}

function describeEither({ path, result, why }: TransferredFile): string {
  switch (result) {
    case 'created':
      return t('{0}: created', path);
    case 'changed':
      return t('{0}: changed', path);
    case 'deleted':
      return t('{0}: deleted', path);
    case 'same':
      return t('{0}: already the same', path);
    case 'unsaved':
      return t('{0}: not changed, it has unsaved changes in an editor; save it first', path);
    default:
      return t('{0}: not changed. {1}', path, why?.() ?? '');
  }
}
