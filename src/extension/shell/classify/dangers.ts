/* Commands that always ask, regardless of permissions: they destroy, take over, or give away. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { isDevicePath } from '../../platform/fileSystem.ts';
import type { Word } from './analysis.ts';
import { dangerousFinding, type Finding, fileArguments } from './finding.ts';

type Danger = (args: readonly Word[], given: readonly string[]) => LocalizedMessage | undefined;

/** Compares names in lower case: some file systems treat `RM` as `rm`. */
export function classifyDanger(name: string, args: readonly Word[]): Finding | undefined {
  const given = args.map(word => (word.kind === 'unknown' ? word.prefix : word.value));
  const lower = name.toLowerCase().replace(/\.exe$/, '');
  const danger = Object.hasOwn(dangers, lower) ? dangers[lower] : undefined;
  const reason = always.get(lower) ?? danger?.(args, given) ?? familyDanger(lower);
  return reason === undefined ? undefined : dangerousFinding(reason, fileArguments(lower, args));
}

/** Returns why a file or device must not be the target of a redirection or copy. */
export function dangerousTarget(path: string): LocalizedMessage | undefined {
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return () => t('{0} is a connection to another machine.', path);
  if (isDevicePath(path) && !/^\/dev(?:$|\/(?:null$|std(?:in|out|err)$|fd\/|tty$|zero$|full$))/.test(path))
    return () => t('{0} is a device.', path);
  if (/^\/(?:etc|boot|sys|proc|bin|sbin|lib\w*|usr|System|Library)\//.test(path))
    return () => t('{0} belongs to the system.', path);
  if (/(?:^|\/)\.ssh(?:\/|$)|authorized_keys/.test(path))
    return () => t('{0} decides who may log in here.', path);
  if (/(?:^|\/)\.(?:bash\w*|profile|z(?:shrc|profile|shenv|login)|login|cshrc|inputrc)$/.test(path)) {
    return () => t('{0} is run by every new shell.', path);
  }
  if (/(?:^|\/)\.git\/(?:hooks|config)/.test(path)) return () => t('{0} decides what git runs.', path);
  return undefined;
}

const always = new Map<string, LocalizedMessage>([
  ...all('sudo doas su pkexec runas', () => t('It runs with the permissions of another user.')),
  ...all('mkfs mke2fs fdisk sfdisk parted gparted wipefs mkswap diskutil badblocks format diskpart', () =>
    t('It can erase a disk.'),
  ),
  ...all('shutdown reboot halt poweroff init telinit', () => t('It stops the machine.')),
  ...all('shred srm wipe', () => t('It erases files beyond repair.')),
  ...all('crontab at batch', () => t('It schedules something to run later.')),
  ...all('systemctl service launchctl loginctl', () => t('It changes which services run.')),
  ...all('useradd userdel usermod groupadd groupmod passwd chpasswd visudo chsh', () =>
    t('It changes accounts.'),
  ),
  ...all('iptables ip6tables nft ufw pfctl', () => t('It changes the firewall.')),
  ...all('insmod rmmod modprobe sysctl mount umount swapoff chroot unshare nsenter', () =>
    t('It changes the system itself.'),
  ),
  ...all('nc ncat netcat socat telnet', () => t('It opens a direct connection to another machine.')),
  ...all('eval', () => t('It runs text that is built only when it runs.')),
  ...all('ssh-add ssh-copy-id ssh-keygen gpg keychain security secret-tool', () =>
    t('It uses or changes keys.'),
  ),
  ...all('alias unalias enable trap', () => t('It changes what later commands mean.')),
]);

interface Ownership {
  readonly wide: LocalizedMessage;
  readonly vital: LocalizedMessage;
  readonly isMode: boolean;
}

const permissions: Ownership = {
  wide: () => t('It changes the permissions of folders and everything in them.'),
  vital: () => t('It changes the permissions of an important folder.'),
  isMode: true,
};

const owners: Ownership = {
  wide: () => t('It changes the owners of folders and everything in them.'),
  vital: () => t('It changes the owners of an important folder.'),
  isMode: false,
};

const dangers: Readonly<Record<string, Danger>> = {
  rm: removes,
  rmdir: (_, given) => (given.some(isVital) ? () => t('It removes an important folder.') : undefined),
  chmod: (args, given) => changesOwner(args, given, permissions),
  chown: (args, given) => changesOwner(args, given, owners),
  chgrp: (args, given) => changesOwner(args, given, owners),
  dd: (_, given) =>
    given.some(value => value.startsWith('of='))
      ? () => t('dd overwrites what it is pointed at.')
      : undefined,
  kill: kills,
  killall: () => () => t('It ends every process with a certain name.'),
  pkill: () => () => t('It ends every process that matches.'),
  history: (_, given) =>
    given.some(value => /^-/.test(value)) ? () => t('It changes the shell history.') : undefined,
  npm: publishes,
  pnpm: publishes,
  yarn: publishes,
  bun: publishes,
  cargo: (_, given) =>
    /^(?:publish|yank|owner|login)$/.test(given[0] ?? '') ? () => t('It publishes a package.') : undefined,
  gem: (_, given) =>
    /^(?:push|yank|owner)$/.test(given[0] ?? '') ? () => t('It publishes a package.') : undefined,
  twine: (_, given) => (given[0] === 'upload' ? () => t('It publishes a package.') : undefined),
  docker: docker,
  podman: docker,
  terraform: (_, given) =>
    given.some(value => /^(?:apply|destroy)$/.test(value))
      ? () => t('It changes what runs on other machines.')
      : undefined,
  kubectl: (_, given) =>
    given.some(value => /^(?:delete|apply|exec|drain|replace|patch)$/.test(value))
      ? () => t('It changes what runs on other machines.')
      : undefined,
  gh: (_, given) =>
    /^(?:auth|secret|api|release|repo)$/.test(given[0] ?? '') && given[1] !== 'view' && given[1] !== 'list'
      ? () => t('It may change what others see, or reveal keys.')
      : undefined,
  mv: movesVital,
  cp: writesVital,
  tee: writesVital,
  ln: writesVital,
  install: writesVital,
  truncate: writesVital,
  rsync: (_, given) =>
    given.some(value => /^--(?:del|remove)/.test(value))
      ? () => t('rsync with this option deletes files.')
      : undefined,
  date: (_, given) =>
    given.some(value => /^(?:-s|--set)/.test(value)) ? () => t('It sets the clock.') : undefined,
  hash: (_, given) =>
    given.some(value => value.startsWith('-p'))
      ? () => t('It changes which program a name starts.')
      : undefined,
};

function all(names: string, reason: LocalizedMessage): readonly (readonly [string, LocalizedMessage])[] {
  return names.split(' ').map(name => [name, reason] as const);
}

function familyDanger(name: string): LocalizedMessage | undefined {
  return /^(?:mkfs|mke2fs|newfs)\b/.test(name) ? () => t('It can erase a disk.') : undefined;
}

function removes(args: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  const recursive = given.some(value => /^(?:-[a-zA-Z]*[rR]|--rec)/.test(value));
  if (given.some(value => value.startsWith('--no-pres'))) return () => t('It removes even the root folder.');
  const targets = args.filter(word => !(word.kind === 'plain' && word.value.startsWith('-')));
  if (targets.some(word => word.kind !== 'unknown' && isVital(word.value))) {
    return () => t('It deletes an important folder, or everything in one.');
  }
  if (recursive && targets.some(word => word.kind === 'unknown')) {
    return () => t('It deletes a folder, and Folio cannot tell which one.');
  }
  if (given.some(value => /(?:^|\/)\.(?:git|ssh|gnupg)(?:\/|$)/.test(value)))
    return () => t('It deletes data that cannot be restored.');
  if (recursive && targets.some(word => word.kind === 'plain' && !isRebuilt(word.value))) {
    return () => t('It deletes folders with everything in them.');
  }
  return undefined;
}

/** Returns whether a folder holds only files that tools regenerate. */
function isRebuilt(value: string): boolean {
  const [name = ''] = value
    .split('/')
    .filter(part => !['', '.', '*', '**'].includes(part))
    .slice(-1);
  return rebuiltFolders.has(name) && !value.split('/').includes('..');
}

const rebuiltFolders: ReadonlySet<string> = new Set(
  'node_modules dist build out target coverage tmp temp bin obj .cache .next .nuxt .turbo .parcel-cache .pytest_cache .mypy_cache __pycache__ .venv venv .gradle htmlcov storybook-static'.split(
    ' ',
  ),
);

/** Matches the root, home, a parent, a system folder, or everything in the current folder. */
function isVital(value: string): boolean {
  const path = value
    .replace(/\/{2,}/g, '/')
    .replace(/\/(?:\.\/)+/g, '/')
    .replace(/(?<=.)\/\.?$/, '');
  return (
    /^(?:\/|\/\*|\*|\.\*|\.|\.\/\*|~.*|[A-Za-z]:[\\/]?\*?)$/.test(path) ||
    /^(?:\.\.\/?)+(?:\*)?$/.test(path) ||
    /^\/(?:etc|usr|var|bin|sbin|lib\w*|boot|dev|proc|sys|opt|root|home|Users|System|Library|Applications|mnt|media)(?:\/\*)?$/.test(
      path,
    ) ||
    /^\/(?:home|Users)\/[^/]+(?:\/\*)?$/.test(path)
  );
}

function changesOwner(
  _: readonly Word[],
  given: readonly string[],
  { wide, vital, isMode }: Ownership,
): LocalizedMessage | undefined {
  if (given.some(value => /^(?:-[a-zA-Z]*R|--rec)/.test(value))) return wide;
  if (isMode && given.some(value => /^(?:[ugoa]*\+[rwx]*s|[2-7]\d{3})/.test(value))) {
    return () => t('It lets a program run with the permissions of its owner.');
  }
  return given.some(isVital) ? vital : undefined;
}

function kills(_: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  const [first] = given;
  const targets = /^-(?!1$)/.test(first ?? '') ? given.slice(1) : given;
  return targets.some(value => /^(?:-1|-?0|1|--)$/.test(value))
    ? () => t('It ends all processes.')
    : undefined;
}

function publishes(_: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  // After an option with a value, any word may be the subcommand.
  const candidates = given[0]?.startsWith('-') ? given : given.slice(0, 1);
  return candidates.some(value => publishing.test(value))
    ? () => t('It changes what is published, or who may publish.')
    : undefined;
}

const publishing =
  /^(?:publish|unpublish|deprecate|dist-tag|owner|access|token|login|adduser|logout|profile|team|hook)$/;

function docker(_: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  if (given.some(value => /^--privileged|^--pid=host|docker\.sock/.test(value)))
    return () => t('It gives a container access to the whole computer.');
  if (given.some(value => value === 'prune') || given[0] === 'push')
    return () => t('It removes or publishes images.');
  return given.some((value, at) => /^(?:-v|--volume)$/.test(value) && /^[/~]:|^\/:/.test(given[at + 1] ?? ''))
    ? () => t('It gives a container access to the whole disk.')
    : undefined;
}

function movesVital(args: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  return given.slice(0, -1).some(isVital)
    ? () => t('It moves an important folder.')
    : writesVital(args, given);
}

function writesVital(_: readonly Word[], given: readonly string[]): LocalizedMessage | undefined {
  return given.map(dangerousTarget).find(reason => reason !== undefined);
}
