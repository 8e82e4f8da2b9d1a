import { realpath, stat } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import { Refusal } from '../../core/refusal.ts';
import { isWithin, realOrSame } from '../../node/files/realPath.ts';
import { type HeadlessArguments, UsageError } from '../arguments.ts';

/** The folders that the command line names: a client reads sessions of these and those below them, and works there. */
export class ServedFolders {
  /** Absolute and real; the first is the workspace. */
  private readonly roots: readonly [string, ...string[]];

  private constructor(roots: readonly [string, ...string[]]) {
    this.roots = roots;
  }

  /** Throws `UsageError` where the workspace would be everything that the user has. */
  static async of({ workspace, include }: HeadlessArguments, home: string): Promise<ServedFolders> {
    const [first, ...others] = await Promise.all([workspace, ...include].map(realOrSame));
    const root = first ?? workspace;
    if (root === parse(root).root || root === (await realOrSame(home)))
      throw new UsageError(`With --mcp name the folder of a project with --workspace DIR, not ${root}.`);
    return new ServedFolders([root, ...others]);
  }

  /** @param folders of a session */
  async holdOne(folders: readonly string[]): Promise<boolean> {
    const real = await Promise.all(folders.map(realOrSame));
    return real.some(folder => this.hold(folder));
  }

  /** Gives the real path of a folder that a client named, by default the workspace. */
  async find(named = '.'): Promise<string> {
    const path = await realpath(resolve(this.roots[0], named)).catch(() => undefined);
    const found = path === undefined ? undefined : await stat(path);
    if (path === undefined || !found?.isDirectory() || !this.hold(path))
      throw new Refusal(`${named} is no folder in ${this.roots.join(' or ')}.`);
    return path;
  }

  private hold(path: string): boolean {
    return this.roots.some(root => isWithin(root, path));
  }
}
