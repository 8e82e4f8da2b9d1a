/*
 * Builds bubblewrap's arguments for one command. Later mounts cover earlier ones, hence the order: the system
 * read-only, its secrets hidden, the workspace writable, its protected parts read-only, secrets in it hidden again.
 */

import { liesWithin } from './secretPlaces.ts';
import type { ProtectedPathScan } from './workspaceGuard.ts';

interface ProfileFacts {
  /** Absolute paths of existing folders, with links resolved. */
  readonly workspaces: readonly string[];
  readonly surveys: readonly ProtectedPathScan[];
  /** More writable absolute paths, existing. */
  readonly granted: readonly string[];
  /** Absolute paths that it may read although they are hidden, existing. */
  readonly read: readonly string[];
  /** The workspace is read-only, except for granted paths. */
  readonly lasting: boolean;
  /** Existing paths outside of the workspace to hide. */
  readonly secrets: readonly ExistingPath[];
  /** Absolute paths of sockets outside. */
  readonly sockets: readonly string[];
  /** Folder of the host that becomes /tmp inside. */
  readonly temporary: string;
  /** A file that nobody can read. */
  readonly nothing: string;
  readonly background: boolean;
  /** It needs the terminal in which it is started. */
  readonly terminal?: boolean;
  /** It is started in a network namespace of its own; otherwise it gets an empty one. */
  readonly hasNetwork: boolean;
  /** This bubblewrap can forbid nested namespaces. */
  readonly closesNesting: boolean;
  readonly user: number;
  readonly group: number;
  /** Existing kernel interfaces: `/proc/sys` and the like. */
  readonly kernelTables: readonly string[];
}

export interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
}

export function bubblewrapArguments(facts: ProfileFacts): readonly string[] {
  const { workspaces, surveys, granted, read, temporary, nothing } = facts;
  const opened = [...workspaces, ...granted, ...read];
  // A writable folder may reveal secrets again, so they are hidden again, unless granted by name.
  const late = facts.secrets.filter(
    ({ path }) => !opened.includes(path) && opened.some(folder => liesWithin(path, folder)),
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

function linkedMounts({ writable, readOnly }: ProtectedPathScan['linked']): readonly string[] {
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
    // A new session has no terminal. For a command that keeps its session, the filter blocks injected keys.
    ...(facts.terminal ? [] : ['--new-session']),
    // A background command outlives the host, as without a sandbox.
    ...(facts.background ? [] : ['--die-with-parent']),
  ];
}

/** A folder that contains a workspace must stay traversable. */
function cover({ path, isFolder }: ExistingPath, facts: ProfileFacts): readonly string[] {
  if (!isFolder) return ['--ro-bind', facts.nothing, path];
  const isPassed = [...facts.workspaces, ...facts.granted, ...facts.read].some(folder =>
    liesWithin(folder, path),
  );
  return ['--perms', isPassed ? '0711' : '0000', '--tmpfs', path];
}
