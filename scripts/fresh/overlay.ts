/*
 * For Linux as root with bubblewrap: mounts overlays over the system's folders, and removes the hidden programs and
 * their packages in them. Installations go into the scratch folder and do not change the machine.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../run.ts';
import { installBubblewrap } from '../vscodeHost/chromium.ts';

const runFile = promisify(execFile);

const systemFolders = ['/usr', '/etc', '/var', '/opt'].filter(folder => existsSync(folder));

/**
 * Returns the command that runs another one without the hidden programs and without bubblewrap, and ends all its
 * children. Returns `undefined` if this machine does not support it.
 */
export async function findOverlayCommand(
  scratch: string,
  hidden: readonly string[],
): Promise<readonly [string, ...string[]] | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  try {
    await installBubblewrap();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  const bubblewrap = findOnPath(['bwrap']);
  if (bubblewrap === undefined) return undefined;
  const script = join(scratch, 'enter.sh');
  await writeFile(script, await writeEntry(scratch, [...hidden, bubblewrap]), { mode: 0o755 });
  const command = [
    bubblewrap,
    '--dev-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--unshare-pid',
    '--die-with-parent',
    '--cap-add',
    'ALL',
    script,
  ] as const;
  try {
    await runFile(command[0], [...command.slice(1), 'true']);
    return [command[0], ...command.slice(1)];
  } catch (error) {
    console.error(`Overlays cannot be mounted here: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function writeEntry(scratch: string, hidden: readonly string[]): Promise<string> {
  const mounts: string[] = [];
  for (const folder of systemFolders) {
    const [upper, work] = [join(scratch, 'upper', folder), join(scratch, 'work', folder)];
    for (const each of [upper, work]) await mkdir(each, { recursive: true });
    mounts.push(
      `mount -t overlay overlay -o 'lowerdir=${folder},upperdir=${upper},workdir=${work}' ${folder}`,
    );
  }
  const packages = await findPackages(hidden);
  return [
    '#!/bin/sh',
    'set -e',
    // Parts of bubblewrap's /proc are covered, so no nested sandbox could mount its own.
    'mount -t proc proc /proc',
    ...mounts,
    // The second command of a run sees what the first has installed.
    `if [ ! -e '${scratch}/hidden' ]; then`,
    ...(packages.length > 0 ? [`dpkg --purge --force-depends ${packages.join(' ')} > /dev/null`] : []),
    ...hidden.map(path => `rm -rf '${path}'`),
    'rm -rf /var/lib/apt/lists/*',
    `touch '${scratch}/hidden'`,
    'fi',
    'exec "$@"',
    '',
  ].join('\n');
}

/** Returns the Debian packages of these programs, with others of the same source. */
async function findPackages(programs: readonly string[]): Promise<readonly string[]> {
  if (!existsSync('/usr/bin/dpkg')) return [];
  const owners = await Promise.all(
    programs.map(path =>
      runFile('dpkg', ['-S', path]).then(
        ({ stdout }) => stdout.split(':')[0] ?? '',
        // Programs without a package are removed as files.
        () => '',
      ),
    ),
  );
  const names = [...new Set(owners.filter(name => name !== ''))];
  const { stdout } = await runFile('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Abbrev}\n']);
  const installed = stdout
    .split('\n')
    .filter(line => / ii/.test(line))
    .map(line => line.split(' ')[0]!);
  return installed.filter(name => names.some(owner => name === owner || name.startsWith(`${owner}-`)));
}
