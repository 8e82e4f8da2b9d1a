/* How each platform writes the folders and the names of programs. */

import { posix, win32 } from 'node:path';

/** Lists the absolute entries of PATH; on Windows one in quotes may hold a `;`. */
export function searchedFolders(path: string, platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'win32') return path.split(posix.delimiter).filter(posix.isAbsolute);
  const entries = path.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  return entries.map(entry => entry.replaceAll('"', '').trim()).filter(win32.isAbsolute);
}

const usualEndings = '.COM;.EXE;.BAT;.CMD';

/** Lists file names that a bare command may stand for, the first that exists counts. */
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
  // Without an ending it is no program there, such as the shell script `npx` beside `npx.cmd`.
  return /\.[^.]+$/.test(command) ? [command, ...names] : names;
}
