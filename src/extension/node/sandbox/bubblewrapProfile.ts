/*
 * The arguments of bubblewrap for one command. Later mounts lie over earlier ones, so the order is: the system
 * read-only, its secrets covered, the workspace writable, what is protected in it read-only, what it shows of secrets
 * covered again.
 */

import { isWithin } from './secretPlaces.ts';
import type { Survey } from './workspaceGuard.ts';

interface ProfileFacts {
  /** Absolute and real; existing folders. */
  readonly workspaces: readonly string[];
  readonly surveys: readonly Survey[];
  /** Further absolute paths that may be written, existing. */
  readonly granted: readonly string[];
  /** Absolute paths that it reads although they are hidden, existing. */
  readonly read: readonly string[];
  /** The workspace is read-only but for what is granted. */
  readonly lasting: boolean;
  /** Places outside of the workspace that are covered, existing. */
  readonly secrets: readonly Place[];
  /** Sockets outside, absolute. */
  readonly sockets: readonly string[];
  /** A folder of the host that stands for /tmp inside. */
  readonly temporary: string;
  /** A file that nobody may read. */
  readonly nothing: string;
  readonly background: boolean;
  /** It needs the terminal that it is started in, which is its own. */
  readonly terminal?: boolean;
  /** It is started in a network of its own; otherwise it gets an empty one. */
  readonly hasNetwork: boolean;
  /** This bubblewrap can forbid namespaces in namespaces. */
  readonly closesNesting: boolean;
  readonly user: number;
  readonly group: number;
  /** Where the kernel's tables exist: `/proc/sys` and the like. */
  readonly kernelTables: readonly string[];
}

export interface Place {
  readonly path: string;
  readonly isFolder: boolean;
}

export function bubblewrapArguments(facts: ProfileFacts): readonly string[] {
  const { workspaces, surveys, granted, read, temporary, nothing } = facts;
  const opened = [...workspaces, ...granted, ...read];
  // A writable folder brings secrets into sight again: they are covered again, but for one that was granted by name.
  const late = facts.secrets.filter(
    ({ path }) => !opened.includes(path) && opened.some(folder => isWithin(path, folder)),
  );
  return [
    ...namespaces(facts),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...facts.kernelTables.flatMap(path => ['--ro-bind', path, path]),
    ...['--tmpfs', '/run', '--bind', temporary, '/tmp', '--tmpfs', '/var/tmp'],
    ...facts.secrets.flatMap(place => cover(place, facts)),
    ...facts.sockets.flatMap(path => ['--ro-bind-try', nothing, path]),
    ...read.flatMap(path => ['--ro-bind', path, path]),
    ...[...workspaces].sort().flatMap(folder => [facts.lasting ? '--ro-bind' : '--bind', folder, folder]),
    ...surveys.flatMap(({ pinned }) => pinned.flatMap(path => ['--bind', path, path])),
    ...surveys.flatMap(({ readOnly }) => readOnly.flatMap(path => ['--ro-bind', path, path])),
    ...surveys.flatMap(({ linked }) => linkedMounts(linked)),
    ...granted.flatMap(path => ['--bind', path, path]),
    ...late.flatMap(place => cover(place, facts)),
    ...surveys.flatMap(({ hidden }) => hidden.flatMap(path => ['--ro-bind', nothing, path])),
  ];
}

function linkedMounts({ writable, readOnly }: Survey['linked']): readonly string[] {
  return [
    ...writable.flatMap(path => ['--bind', path, path]),
    ...readOnly.flatMap(path => ['--ro-bind', path, path]),
  ];
}

function namespaces(facts: ProfileFacts): readonly string[] {
  return [
    ...['--unshare-user', '--uid', String(facts.user), '--gid', String(facts.group)],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(facts.hasNetwork ? [] : ['--unshare-net']),
    ...(facts.closesNesting ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--hostname', 'sandbox'],
    // In a session of its own it has no terminal. One that stays in its own is kept from pushing keys by the filter.
    ...(facts.terminal ? [] : ['--new-session']),
    // A command of the background outlives the host, as it does without a sandbox.
    ...(facts.background ? [] : ['--die-with-parent']),
  ];
}

/** One that a workspace lies in must be passed through. */
function cover({ path, isFolder }: Place, facts: ProfileFacts): readonly string[] {
  if (!isFolder) return ['--ro-bind', facts.nothing, path];
  const isPassed = [...facts.workspaces, ...facts.granted, ...facts.read].some(folder =>
    isWithin(folder, path),
  );
  return ['--perms', isPassed ? '0711' : '0000', '--tmpfs', path];
}
