/* Platform rules for PATH and program names. */

import { posix, win32 } from 'node:path';

/** Lists the absolute entries of PATH. On Windows a quoted entry may contain `;`. */
export function searchedFolders(path: string, platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'win32') return path.split(posix.delimiter).filter(posix.isAbsolute);
  const entries = path.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  return entries.map(entry => entry.replaceAll('"', '').trim()).filter(win32.isAbsolute);
}

const usualEndings = '.COM;.EXE;.BAT;.CMD';

/** Lists the file names to try for a command, in order. */
export function fileNamesOf(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly string[] {
  if (platform !== 'win32') return [command];
  const name = Object.keys(env).find(each => each.toUpperCase() === 'PATHEXT');
  const endings = ((name && env[name]?.trim()) || usualEndings)
    .split(';')
    .map(ending => ending.trim())
    .filter(ending => ending.startsWith('.'));
  const names = endings.map(ending => command + ending);
  // On Windows a file without extension is no program, for example the shell script `npx` next to `npx.cmd`.
  return /\.[^.]+$/.test(command) ? [command, ...names] : names;
}
