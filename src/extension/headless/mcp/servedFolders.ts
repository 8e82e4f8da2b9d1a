import { realpath, stat } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import { CommandError } from '../../core/commandError.ts';
import { containsPath, realPathOrSame } from '../../node/files/realPath.ts';
import { type HeadlessArguments, UsageError } from '../arguments.ts';

/** The folders on the command line. A client may read sessions of these and their subfolders, and work there. */
export class ServedFolders {
  /** Absolute paths without links. The first is the workspace. */
  private readonly roots: readonly [string, ...string[]];

  private constructor(roots: readonly [string, ...string[]]) {
    this.roots = roots;
  }

  /** Throws `UsageError` if the workspace would contain all of the user's files. */
  static async of({ workspace, include }: HeadlessArguments, home: string): Promise<ServedFolders> {
    const [first, ...others] = await Promise.all([workspace, ...include].map(realPathOrSame));
    const root = first ?? workspace;
    if (root === parse(root).root || root === (await realPathOrSame(home)))
      throw new UsageError(`With --mcp name the folder of a project with --workspace DIR, not ${root}.`);
    return new ServedFolders([root, ...others]);
  }

  /** @param folders a session's folders */
  async holdOne(folders: readonly string[]): Promise<boolean> {
    const real = await Promise.all(folders.map(realPathOrSame));
    return real.some(folder => this.hold(folder));
  }

  /** Returns the real path of a folder that a client named. Defaults to the workspace. */
  async find(named = '.'): Promise<string> {
    const path = await realpath(resolve(this.roots[0], named)).catch(() => undefined);
    const found = path === undefined ? undefined : await stat(path);
    if (path === undefined || !found?.isDirectory() || !this.hold(path))
      throw new CommandError(`${named} is no folder in ${this.roots.join(' or ')}.`);
    return path;
  }

  private hold(path: string): boolean {
    return this.roots.some(root => containsPath(root, path));
  }
}
