/*
 * Builds the profile of macOS's sandbox for one command, in the language of `sandbox-exec`. The last matching rule
 * decides, hence the same order as bubblewrap's mounts: the system readable, its secrets denied, the workspace
 * writable, its protected parts read-only, granted paths writable, secrets in all of these denied again. Allow and deny
 * rules name the same operations, because a narrower operation takes precedence.
 */

import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { headOf } from '../../base/text.ts';
import type { LinkedWorktreePaths } from './linkedWorktree.ts';
import { liesWithin } from './secretPlaces.ts';

export interface SeatbeltFacts {
  /** Absolute, with links resolved. */
  readonly workspaces: readonly string[];
  /** The command's own temporary folder, absolute, with links resolved. */
  readonly temporary: string;
  /** Absolute paths of temporary folders of other programs. */
  readonly othersTemporary: readonly string[];
  /** Absolute paths, which need not exist. */
  readonly secrets: readonly string[];
  /** Protected paths in the workspaces, existing or not. */
  readonly guarded: readonly string[];
  /** Folders that stay writable but must not be renamed. */
  readonly pinned: readonly string[];
  /** Paths outside of them that Git writes. */
  readonly linked: readonly LinkedWorktreePaths[];
  /** Workspace files with secrets. */
  readonly hidden: readonly string[];
  readonly granted: readonly string[];
  readonly read: readonly string[];
  /** The workspace is read-only, except for granted paths. */
  readonly lasting: boolean;
  /** Port of the proxy to granted hosts. `undefined` for no network. */
  readonly proxyPort: number | undefined;
  /** Servers of this machine were granted. */
  readonly reachesLocal: boolean;
}

const reading = 'file-read*';
const writing = 'file-write*';
const all = `${reading} ${writing}`;

export function seatbeltProfile(facts: SeatbeltFacts): string {
  const { workspaces, temporary, secrets, granted, read, lasting, hidden } = facts;
  const opened = [...workspaces, ...granted, ...read];
  const late = secrets.filter(path => !opened.includes(path) && opened.some(each => liesWithin(path, each)));
  const passed = secrets.filter(path => opened.some(each => each !== path && liesWithin(each, path)));
  const rules = [
    '(version 1)',
    '(deny default)',
    ...processRules,
    `(allow ${reading})`,
    ...deviceRules,
    ...facts.othersTemporary.map(path => close(path)),
    ...secrets.map(path => close(path)),
    // Parents of accessible folders must stay traversable.
    ...passed.flatMap(path => [`(allow file-read-metadata (literal ${quoted(path)}))`]),
    ...read.map(path => `(allow ${reading} (subpath ${quoted(path)}))`),
    ...[...workspaces].sort().map(path => `(allow ${lasting ? reading : all} (subpath ${quoted(path)}))`),
    `(allow ${all} (subpath ${quoted(temporary)}))`,
    ...facts.guarded.map(path => `(deny ${writing} ${anyCase(path)})`),
    ...facts.guarded.map(path => `(deny file-write-unlink ${anyCase(path)})`),
    ...facts.pinned.map(path => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...facts.linked.flatMap(linkedRules),
    ...granted.map(path => `(allow ${all} (subpath ${quoted(path)}))`),
    ...late.map(path => close(path)),
    ...hidden.map(path => close(path)),
    // A denied file could be read under a new name, so renaming is denied too.
    ...[...late, ...hidden].map(path => `(deny file-write-unlink (subpath ${quoted(path)}))`),
    '(deny file-write-setugid)',
    ...networkRules(facts),
  ];
  return `${rules.join('\n')}\n`;
}

/** The command may start programs, and see, signal and trace only its own. No system service may act on its behalf. */
const processRules: readonly string[] = [
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  // Other names would reveal the arguments and environment of every process.
  '(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.") (sysctl-name-prefix "kern.os"))',
  `(allow sysctl-read ${[
    ...['kern.argmax', 'kern.boottime', 'kern.hostname', 'kern.maxfilesperproc', 'kern.maxproc'],
    ...['kern.ngroups', 'kern.secure_kernel', 'kern.usrstack64', 'kern.version', 'vm.loadavg'],
  ]
    .map(name => `(sysctl-name "${name}")`)
    .join(' ')})`,
  `(allow mach-lookup ${[
    ...['com.apple.bsd.dirhelper', 'com.apple.logd', 'com.apple.system.logger'],
    ...['com.apple.system.notification_center', 'com.apple.system.opendirectoryd.libinfo'],
    'com.apple.system.opendirectoryd.membership',
  ]
    .map(name => `(global-name "${name}")`)
    .join(' ')})`,
  '(allow ipc-posix-sem)',
  '(allow ipc-posix-shm-read* (ipc-posix-name "apple.shm.notification_center"))',
];

/** A terminal may be opened if it was created inside; the command's initial one is open already. */
const deviceRules: readonly string[] = [
  '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
  '(allow file-ioctl (literal "/dev/random") (literal "/dev/urandom"))',
  '(allow pseudo-tty)',
  '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
  '(deny file-read* file-write* (regex #"^/dev/ttys[0-9]+$"))',
  '(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
];

/**
 * Commands share the machine's network: they may listen, but connect only to the proxy. Their own servers cannot be
 * distinguished from others. DNS is unavailable, because its service is a socket outside.
 */
function networkRules(facts: SeatbeltFacts): readonly string[] {
  const { proxyPort, reachesLocal, workspaces, temporary, lasting } = facts;
  const ports = reachesLocal ? ['*'] : proxyPort === undefined ? [] : [String(proxyPort)];
  const folders = [temporary, ...(lasting ? [] : workspaces)].map(path => `(subpath ${quoted(path)})`);
  return [
    '(allow network-bind network-inbound (local ip "localhost:*"))',
    ...ports.map(port => `(allow network-outbound (remote ip "localhost:${port}"))`),
    '(allow system-socket (socket-domain AF_UNIX))',
    ...folders.map(folder => `(allow network-bind (local unix-socket ${folder}))`),
    ...folders.map(folder => `(allow network-outbound (remote unix-socket ${folder}))`),
  ];
}

function linkedRules({ writable, readOnly, missing }: LinkedWorktreePaths): readonly string[] {
  return [
    ...writable.map(path => `(allow ${all} (subpath ${quoted(path)}))`),
    ...[...readOnly, ...missing].flatMap(path => [
      `(deny ${writing} ${anyCase(path)})`,
      `(deny file-write-unlink ${anyCase(path)})`,
    ]),
  ];
}

function close(path: string): string {
  return `(deny ${all} (subpath ${quoted(path)}))`;
}

/** Quotes a string of the profile language, in which only two characters are special. */
function quoted(path: string): string {
  if (/[\0-\x1f\x7f]/.test(path))
    throw new LocalizedError(() =>
      t('The sandbox cannot be created: {0} contains a control character.', JSON.stringify(path)),
    );
  // The parser of the profile accepts no longer strings.
  if (Buffer.byteLength(path) > maxStringLength)
    throw new LocalizedError(() =>
      t('The sandbox cannot be created: the path {0} is too long.', `${headOf(path, 80)}…`),
    );
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

const maxStringLength = 1000;

/** Most Mac disks are case-insensitive, so `.GIT/config` is `.git/config` even before either exists. */
function anyCase(path: string): string {
  const pattern = [...path]
    .map(char => {
      const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
      if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
      return /[\\^$.*+?()[\]{}|"]/.test(char) ? `\\${char}` : char;
    })
    .join('');
  if (path.includes('"') || Buffer.byteLength(pattern) > maxStringLength) return `(subpath ${quoted(path)})`;
  quoted(path);
  return `(regex #"^${pattern}(/|$)")`;
}

/**
 * Converts a path to the kernel's form: `/tmp`, `/var` and `/etc` are links on macOS, whether or not the path exists.
 */
export function canonicalPath(path: string): string {
  return path.replace(/^\/(tmp|var|etc)(?=\/|$)/, '/private/$1');
}
