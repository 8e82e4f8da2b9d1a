/* A newcomer: a user with a fresh clone, empty home and cache, and neither browser nor VS Code. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { browserNames } from '../../src/extension/node/browser/findBrowser.ts';
import { projectRoot } from '../run.ts';
import { desktopPlaces } from '../vscodeHost/chromium.ts';
import { findOverlayCommand } from './overlay.ts';

export interface Newcomer {
  /** Clone of the committed state. */
  readonly clone: string;
  /** Folder for temporary files, to detect leftovers. */
  readonly temporary: string;
  readonly env: NodeJS.ProcessEnv;
  /** One sentence: how browsers and VS Code are hidden. */
  readonly hiding: string;
  /** Returns program and arguments that run a shell script as this user, in `clone`. */
  enclose(script: string): readonly [string, ...string[]];
  dispose(): Promise<void>;
}

const hiddenNames = [...browserNames, 'code', 'code-insiders', 'codium', 'code-server'];

/** Makes the newcomer in a scratch folder. */
export async function makeNewcomer(): Promise<Newcomer> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'folio-fresh-')));
  const clone = join(scratch, 'clone');
  const home = join(scratch, 'home');
  const temporary = join(scratch, 'tmp');
  for (const folder of [home, temporary]) await mkdir(folder);
  await promisify(execFile)('git', ['clone', '--quiet', '--no-hardlinks', projectRoot, clone]);
  const hidden = await findHiddenPrograms();
  const overlay = await findOverlayCommand(scratch, hidden);
  const path = overlay ? machinePath() : await linkOtherPrograms(join(scratch, 'bin'));
  const left = desktopPlaces.filter(place => existsSync(place));
  return {
    clone,
    temporary,
    env: {
      PATH: path,
      HOME: home,
      TMPDIR: temporary,
      LANG: process.env.LANG ?? 'C.UTF-8',
      npm_config_registry: await readRegistry(),
    },
    hiding: overlay
      ? `Bubblewrap and ${hidden.length} browsers and VS Codes are taken away, in a copy-on-write view of this machine.`
      : `Browsers and VS Codes are not on the PATH.${left.length > 0 ? ` Not hidden: ${left.join(', ')}.` : ''}`,
    enclose: script => {
      const shell = ['sh', '-c', `cd '${clone}' && ${script}`] as const;
      return overlay ? [...overlay, ...shell] : [...shell];
    },
    dispose: () => rm(scratch, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Returns PATH without this project's tools, which npm prepends. */
function machinePath(): string {
  return machineFolders().join(delimiter);
}

function machineFolders(): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter(folder => folder !== '' && !`${folder}${sep}`.includes(`${sep}node_modules${sep}`));
}

async function findHiddenPrograms(): Promise<readonly string[]> {
  const paths = machineFolders().flatMap(folder => hiddenNames.map(name => join(folder, name)));
  return [...new Set([...paths, ...desktopPlaces])].filter(path => existsSync(path));
}

/** Makes a folder with links to all programs on PATH except the hidden ones. */
async function linkOtherPrograms(folder: string): Promise<string> {
  await mkdir(folder);
  const seen = new Set(hiddenNames);
  for (const source of machineFolders()) {
    for (const name of await readdir(source).catch(() => [])) {
      if (seen.has(name)) continue;
      seen.add(name);
      await symlink(join(source, name), join(folder, name));
    }
  }
  return folder;
}

/** Reads the npm registry of this machine, which an empty home would lose. */
async function readRegistry(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: projectRoot });
  return stdout.trim();
}
