import {
  type BaseChange,
  type Container,
  type Driver,
  type DriverOption,
  type SessionPlace,
  type Worktree,
  workspaceFoldersOf,
} from '../worktree.ts';

type PlaceEvent =
  /** Without `worktree` the session works in the workspace again; without `container` its commands run outside. */
  | {
      readonly type: 'session.moved';
      readonly folders: readonly string[];
      readonly worktree?: Worktree | undefined;
      readonly container?: Container | undefined;
    }
  | ({ readonly type: 'agent.chosen' } & Pick<Driver, 'name' | 'session'>)
  | { readonly type: 'agent.offered'; readonly options: readonly DriverOption[] }
  | ({ readonly type: 'worktree.based' } & BaseChange)
  | { readonly type: 'worktree.settled'; readonly left: number; readonly conflicts: number }
  | { readonly type: 'file.written' };

/** Folds where a session works, the state of its worktree, and which agent drives it. */
export function foldPlace(place: SessionPlace, event: PlaceEvent): SessionPlace {
  const { folders, worktree } = place;
  switch (event.type) {
    case 'session.moved': {
      const workspace = workspaceFoldersOf(place);
      const { container } = event;
      return {
        folders: event.folders,
        container,
        worktree: event.worktree && { ...event.worktree, workspace },
      };
    }
    case 'agent.chosen':
      return { ...place, driver: { ...place.driver, name: event.name, session: event.session } };
    case 'agent.offered':
      return { ...place, driver: place.driver && { ...place.driver, options: event.options } };
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
