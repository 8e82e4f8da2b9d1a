/* Finds programs that Folio itself starts. Never uses one from a workspace, whatever PATH contains. */

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { containsPath } from '../files/realPath.ts';
import { searchedFolders } from './searchPath.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const systemFolders: readonly string[] =
  process.platform === 'win32'
    ? [join(process.env.SystemRoot ?? 'C:\\Windows', 'system32')]
    : ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/** Absolute path of a system program. Ignores PATH. */
export function findSystemProgram(name: string): string | undefined {
  return systemFolders.map(folder => join(folder, name)).find(isProgram);
}

/** Absolute path of a program in a folder. */
export function findProgramIn(folder: string, name: string): string | undefined {
  const file = join(folder, name);
  return isProgram(file) ? file : undefined;
}

/** Finds programs by name, outside of the workspace. */
export class ProgramFinder {
  private readonly folders: () => readonly string[];
  private readonly env: Environment;

  /** @param folders current absolute workspace folders @param env contains the default PATH */
  constructor(folders: () => readonly string[], env: Environment = process.env) {
    this.folders = folders;
    this.env = env;
  }

  /** Returns the absolute path. Skips relative and empty entries, and links into the workspace. */
  find(name: string, path = pathOf(this.env)): string | undefined {
    let isInside: ReturnType<typeof this.insideOf> | undefined;
    for (const file of this.candidates(name, path)) {
      isInside ??= this.insideOf();
      if (!isInside(file)) return file;
    }
    return undefined;
  }

  /** Returns whether PATH contains such a program. One that exists only in the workspace counts as missing. */
  isThere(name: string, path = pathOf(this.env)): boolean {
    return this.candidates(name, path).next().done !== true;
  }

  /** Removes relative entries and those that lead into the workspace, because the system would search them. */
  clean(path: string): string {
    const isInside = this.insideOf();
    return searchedFolders(path, process.platform)
      .filter(folder => !isInside(folder))
      .map(folder => (folder.includes(delimiter) ? `"${folder}"` : folder))
      .join(delimiter);
  }

  /** The cleaned PATH for programs that start others, under the variable's name on this system. */
  get pathVariable(): Record<string, string> {
    const name = Object.keys(this.env).find(isPathName) ?? 'PATH';
    return { [name]: this.clean(pathOf(this.env)) };
  }

  /** Returns the environment with a cleaned PATH. */
  cleanEnvironment(env: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, isPathName(name) ? this.clean(value) : value]),
    );
  }

  /** Returns whether a path lies in the workspace, by name or after resolving links. */
  isInside(path: string): boolean {
    return this.insideOf()(path);
  }

  private *candidates(name: string, path: string): Generator<string> {
    for (const folder of searchedFolders(path, process.platform)) {
      const file = findProgramIn(folder, name);
      if (file !== undefined) yield file;
    }
  }

  private insideOf(): (path: string) => boolean {
    // A workspace that contains the system's folders would exclude every program, so it does not count.
    const given = this.folders().filter(folder => !systemFolders.some(each => containsPath(folder, each)));
    const folders = new Set(given.flatMap(folder => [folder, realOf(folder)]));
    const home = this.env.HOME ?? homedir();
    const homes = isAbsolute(home) ? [home, realOf(home)] : [];
    return path => {
      const places = [path, realOf(path), join(realOf(dirname(path)), basename(path))];
      return [...folders].some(folder => {
        const own = homes.filter(home => containsPath(folder, home));
        return places.some(
          place => containsPath(folder, place) && !own.some(home => isUserBinFolder(relative(home, place))),
        );
      });
    };
  }
}

/**
 * Returns whether a folder below the home folder holds the user's installed programs, not those of a project. Such
 * folders are trusted even if the home folder is the workspace.
 * @param inside path relative to the home folder, with either kind of slash
 */
export function isUserBinFolder(inside: string): boolean {
  // A dot matches either slash.
  return toolFolders.test(`${inside}/`) && !/.node_modules.\.bin/i.test(inside);
}

const toolFolders =
  /^(?:bin|n.bin|go.bin|scoop|(?:mini|ana)conda3?|(?:mini|mamba)forge3?|appdata.(?:roaming.npm|local.(?:pnpm|fnm_multishells|volta|programs|microsoft.windowsapps))|library.(?:pnpm|application support.fnm)|\.(?:local|cargo|nvm|volta|bun|asdf|nix-profile|pyenv|fnm|deno|rbenv|rvm|jenv|nodenv|sdkman|ghcup|proto|npm-global|linuxbrew|(?:dotnet.tools|composer.vendor.bin|(?:yarn|docker|pub-cache|krew).bin)))[\\/]/i;

function pathOf(env: Environment): string {
  return env.PATH ?? env.Path ?? '';
}

function isPathName(name: string): boolean {
  return /^path$/i.test(name);
}

function isProgram(file: string): boolean {
  try {
    // Most are missing, and an error for each would take most of the search.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // It is not executable, or in a folder that cannot be read.
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
