import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FileSystem } from '../platform/fileSystem.ts';
import { ToolFailure } from './tool.ts';

/**
 * The one gate through which every path from a model goes. Symlinks are resolved first, so that no link leads
 * out of the workspace.
 */
export class WorkspacePaths {
  private readonly files: Pick<FileSystem, 'realPath'>;
  private readonly folders: readonly string[];
  private readonly readable: () => readonly string[];
  private roots: Promise<readonly string[]> | undefined;

  /**
   * @param folders absolute workspace folders, the first is the base of relative paths
   * @param readable further folders that may be read, for example the session's saved outputs
   */
  constructor(
    files: Pick<FileSystem, 'realPath'>,
    folders: readonly string[],
    readable: () => readonly string[] = () => [],
  ) {
    this.files = files;
    this.folders = folders;
    this.readable = readable;
  }

  /** The absolute, real path. Throws `ToolFailure` when it lies outside of what `access` allows. */
  async resolve(path: string, access: 'read' | 'write'): Promise<string> {
    const base = this.folders[0];
    if (base === undefined) throw new ToolFailure('No folder is open, so there are no files to work on.');
    if (path.trim() === '') throw new ToolFailure('The path is empty.');
    if (path.includes('\0')) throw new ToolFailure('The path holds a NUL character.');
    // A shell would lead it home; here it would make a folder of this name.
    if (/^~(?:[/\\]|$)/.test(path)) {
      throw new ToolFailure(`${path}: "~" stands for nothing here. Give a path relative to the workspace.`);
    }
    const wanted = resolve(base, path);
    const real = await this.files.realPath(wanted);
    this.roots ??= Promise.all(this.folders.map(folder => this.files.realPath(folder)));
    if ((await this.roots).some(root => contains(root, real))) return real;
    for (const folder of access === 'read' ? this.readable() : []) {
      if (contains(await this.files.realPath(folder), real)) return real;
    }
    throw new ToolFailure(
      `${path} is outside the workspace. Only files below ${this.folders.join(', ')} can be used.`,
      'Outside the workspace',
    );
  }

  /** As it can be given back to `resolve`: relative to the first folder, with `/`, where it lies in it; else absolute. */
  async show(path: string): Promise<string> {
    this.roots ??= Promise.all(this.folders.map(folder => this.files.realPath(folder)));
    const [real] = await this.roots;
    for (const root of [real, this.folders[0]]) {
      if (root === undefined || !contains(root, path)) continue;
      return (relative(root, path) || '.').split(sep).join('/');
    }
    return path;
  }

  get base(): string | undefined {
    return this.folders[0];
  }

  get all(): readonly string[] {
    return this.folders;
  }
}

export function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside));
}
