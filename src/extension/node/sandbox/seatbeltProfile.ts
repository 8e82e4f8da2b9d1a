/*
 * The profile of macOS's own sandbox for one command, in the language that `sandbox-exec` reads. The last rule that is
 * about an operation and a path decides, so the order is that of bubblewrap's mounts: the system readable, its secrets
 * closed, the workspace writable, what is protected in it read-only, what is granted open, secrets in all of that closed
 * again. Allowing and closing rules name the same operations, since a narrower operation goes before a wider one.
 */

import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { headOf } from '../../base/text.ts';
import type { LinkedParts } from './linkedWorktree.ts';
import { isWithin } from './secretPlaces.ts';

export interface SeatbeltFacts {
  /** Absolute and real. */
  readonly workspaces: readonly string[];
  /** The command's own folder for temporary files, absolute and real. */
  readonly temporary: string;
  /** Folders in which other programs keep theirs, absolute. */
  readonly othersTemporary: readonly string[];
  /** Absolute; none of these paths need exist. */
  readonly secrets: readonly string[];
  /** Protected in the workspaces, whether they exist or not. */
  readonly guarded: readonly string[];
  /** Folders that stay writable and must keep their names. */
  readonly pinned: readonly string[];
  /** Places outside of them that Git writes. */
  readonly linked: readonly LinkedParts[];
  /** Files of the workspaces that hold secrets. */
  readonly hidden: readonly string[];
  readonly granted: readonly string[];
  readonly read: readonly string[];
  /** The workspace is read-only but for what is granted. */
  readonly lasting: boolean;
  /** The proxy that leads to granted hosts; absent: there is no network. */
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
  const late = secrets.filter(path => !opened.includes(path) && opened.some(each => isWithin(path, each)));
  const passed = secrets.filter(path => opened.some(each => each !== path && isWithin(each, path)));
  const rules = [
    '(version 1)',
    '(deny default)',
    ...processRules,
    `(allow ${reading})`,
    ...deviceRules,
    ...facts.othersTemporary.map(path => close(path)),
    ...secrets.map(path => close(path)),
    // A folder that something open lies in must be passed through.
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
    // A closed file, once renamed, could be read under its new name.
    ...[...late, ...hidden].map(path => `(deny file-write-unlink (subpath ${quoted(path)}))`),
    '(deny file-write-setugid)',
    ...networkRules(facts),
  ];
  return `${rules.join('\n')}\n`;
}

/** It starts programs, and sees, signals and traces its own alone. No service of the system that acts for it is reached. */
const processRules: readonly string[] = [
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  // By other names the kernel tells the arguments and the environment of every process.
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

/** A terminal is opened where it was made inside; the one that a command has from the start is open already. */
const deviceRules: readonly string[] = [
  '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
  '(allow file-ioctl (literal "/dev/random") (literal "/dev/urandom"))',
  '(allow pseudo-tty)',
  '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
  '(deny file-read* file-write* (regex #"^/dev/ttys[0-9]+$"))',
  '(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
];

/**
 * The network of the machine is the command's own here: it may serve, and connects to the proxy alone. Servers of its
 * own cannot be told from those of others. Names are not looked up, since the service that does is a socket outside.
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

function linkedRules({ writable, readOnly, missing }: LinkedParts): readonly string[] {
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

/** A string of the language: only these two characters mean something else in it. */
function quoted(path: string): string {
  if (/[\0-\x1f\x7f]/.test(path))
    throw new SpokenError(() =>
      t('The sandbox cannot be created: {0} contains a control character.', JSON.stringify(path)),
    );
  // The program that reads it takes no longer strings.
  if (Buffer.byteLength(path) > maxStringLength)
    throw new SpokenError(() =>
      t('The sandbox cannot be created: the path {0} is too long.', `${headOf(path, 80)}…`),
    );
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

const maxStringLength = 1000;

/** On most disks of a Mac `.GIT/config` is `.git/config`, also where neither exists yet. */
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

/** As the kernel knows it: `/tmp`, `/var` and `/etc` are links on macOS, whether or not what they lead to exists. */
export function canonicalPath(path: string): string {
  return path.replace(/^\/(tmp|var|etc)(?=\/|$)/, '/private/$1');
}
