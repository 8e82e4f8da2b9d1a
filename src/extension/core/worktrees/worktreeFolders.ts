import { join, relative } from 'node:path';
import {
  type Container,
  type IsolatedPlace,
  isContainer,
  type Worktree,
} from '../../../protocol/worktree.ts';
import { folderContains } from '../folderPaths.ts';

/** Maps workspace folders to the worktree, without those outside the repository. */
export function foldersInWorktree({ path, home }: Worktree, folders: readonly string[]): readonly string[] {
  return folders
    .filter(folder => folderContains(home, folder))
    .map(folder => join(path, relative(home, folder)));
}

/** Creates the journal's event for a move. @param folders of the workspace */
export function sessionMovedEvent(place: IsolatedPlace | undefined, folders: readonly string[]) {
  const [worktree, container] = isContainer(place) ? [undefined, place] : [place, undefined];
  const own = worktree ? foldersInWorktree(worktree, folders) : folders;
  return { type: 'session.moved', folders: [...own], worktree, container } as const;
}

/** For the model. @param own folders that the session now works in */
export function describeSessionMove(place: IsolatedPlace | undefined, own: readonly string[]): string {
  const list = own.join(', ');
  if (isContainer(place)) return `[${describeContainer(place, own)}]`;
  const where = place
    ? `the worktree ${place.name} at ${list}, beside the user's own files, which stay as they are until the user brings the changes home`
    : `the user's own folders again, and so do its commands: ${list}`;
  return `[The session works in ${where}. Files that you read before may differ there.]`;
}

export function describeContainer({ inside }: Container, [folder = '']: readonly string[]): string {
  return `Commands run in a Linux container, where ${folder} is ${inside}; file tools take either path. What a command installs or starts is in the container only.`;
}
