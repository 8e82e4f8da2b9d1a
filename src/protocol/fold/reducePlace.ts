import { type BaseChange, type SessionPlace, type Worktree, workspaceOf } from '../worktree.ts';

type PlaceEvent =
  /** `worktree` is absent: the session works in its workspace again. */
  | {
      readonly type: 'session.moved';
      readonly folders: readonly string[];
      readonly worktree?: Worktree | undefined;
    }
  | ({ readonly type: 'worktree.based' } & BaseChange)
  | { readonly type: 'worktree.settled'; readonly left: number; readonly conflicts: number }
  | { readonly type: 'file.written' };

/** Folds where a session works, and what is known of its worktree. */
export function foldPlace(place: SessionPlace, event: PlaceEvent): SessionPlace {
  const { folders, worktree } = place;
  switch (event.type) {
    case 'session.moved': {
      const workspace = workspaceOf(place);
      return { folders: event.folders, worktree: event.worktree && { ...event.worktree, workspace } };
    }
    case 'worktree.based': {
      const { seq, callId, before } = event;
      const baseChanges = [...(worktree?.baseChanges ?? []), { seq, callId, before }];
      return { folders, worktree: worktree && { ...worktree, baseChanges } };
    }
    case 'worktree.settled': {
      const settled = { left: event.left, conflicts: event.conflicts };
      return { folders, worktree: worktree && { ...worktree, settled } };
    }
    case 'file.written':
      return worktree?.settled ? { folders, worktree: { ...worktree, settled: undefined } } : place;
  }
}
