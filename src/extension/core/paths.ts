import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { inEnglish, type LocalizedMessage, t } from '../../protocol/language.ts';
import { findFolderByName } from '../../protocol/words/folderNames.ts';
import { messageOf } from '../base/errors.ts';
import {
  type DirectoryEntry,
  FileError,
  type FileSystem,
  ifReadable,
  isSystemPath,
} from '../platform/fileSystem.ts';
import { folderContains, formatPathIn } from './folderPaths.ts';
import { type Access, findProtection, type Protection } from './protectedPaths.ts';
import { ToolFailure } from './tool.ts';

/** Result of resolving a path. `summary` is for the card. */
type LocatedPath =
  | { readonly kind: 'inside'; readonly path: string; readonly protection?: Protection }
  | { readonly kind: 'refused'; readonly reason: LocalizedMessage; readonly summary: LocalizedMessage };

/** The only gate for paths from a model. Resolves symlinks first, so that no link leads out of the workspace. */
export class WorkspacePaths {
  private readonly files: Pick<FileSystem, 'realPath' | 'list'>;
  private readonly folders: readonly string[];
  private readonly readable: () => readonly string[];
  private readonly own: readonly string[];
  private readonly inside: string | undefined;
  private roots: { readonly count: number; readonly real: Promise<readonly string[]> } | undefined;

  /**
   * @param folders absolute workspace folders; relative paths start at the first. The list may grow
   * @param readable more folders that may be read, for example saved outputs of the session
   * @param own absolute folders with Folio's own data, which may lie in the workspace
   * @param inside absolute path of the first folder inside a container, as commands there see it
   */
  constructor(
    files: Pick<FileSystem, 'realPath' | 'list'>,
    folders: readonly string[],
    readable: () => readonly string[] = () => [],
    own: readonly string[] = [],
    inside?: string,
  ) {
    this.files = files;
    this.folders = folders;
    this.readable = readable;
    this.own = own;
    this.inside = inside;
  }

  /** Resolves to an absolute, real path. Throws `ToolFailure` if `access` does not cover it. */
  async resolve(path: string, access: Access): Promise<string> {
    const place = await this.locate(path, access);
    if (place.kind === 'refused') throw new ToolFailure(inEnglish(place.reason), place.summary);
    return place.path;
  }

  /** Resolves a path and finds the protection that applies to it. */
  async locate(path: string, access: Access): Promise<LocatedPath> {
    const base = this.folders[0];
    if (base === undefined) return refused(() => t('No folder is open, so there are no files to work on.'));
    const oddity = findOddity(path);
    if (oddity) return oddity;
    const wanted = await this.meant(base, path);
    const real = await this.follow(wanted);
    if (real instanceof FileError)
      return refused(
        () => t('{0} cannot be used: {1}', path, messageOf(real)),
        () => t('File problem'),
      );
    // They are closed even if `/` is the workspace.
    const isInWorkspace =
      !isSystemPath(real) && (await this.realRoots()).some(root => folderContains(root, real));
    // Most paths lie in the workspace, and need no look-up of further folders on the file system.
    const isOpenToo = access === 'read' && (!isInWorkspace || this.own.length > 0);
    const readable = isOpenToo ? await this.findReadable(real) : undefined;
    if (readable !== undefined)
      return { kind: 'inside', path: real, protection: findProtection(formatPathIn(readable, real), 'read') };
    const beyond = refused(
      () =>
        t('{0} is outside the workspace. Only files below {1} can be used.', path, this.folders.join(', ')),
      outside,
    );
    if (!isInWorkspace) return beyond;
    // The name counts, too: a link named `.env` is protected wherever it leads.
    const protection =
      (await this.protectionOf(real, access)) ??
      (wanted === real ? undefined : await this.protectionOf(wanted, access));
    if (protection?.kind === 'sealed')
      return refused(
        () => t('{0} is closed. {1}', path, protection.why()),
        () => t('Protected'),
      );
    return { kind: 'inside', path: real, protection };
  }

  /** @param path absolute, from `resolve`, a search or a listing */
  async protectionOf(path: string, access: Access): Promise<Protection | undefined> {
    for (const folder of this.own) {
      if (folderContains(await this.files.realPath(folder), path))
        return { kind: 'sealed', why: () => t('Folio keeps its own files there.') };
    }
    const roots = [...(await this.realRoots()), ...this.folders];
    const root = roots.filter(each => folderContains(each, path)).sort((a, b) => b.length - a.length)[0];
    return root === undefined ? undefined : findProtection(formatPathIn(root, path), access);
  }

  /** Filters out the paths of a search that a user would have to approve. */
  async unprotected(paths: readonly string[]): Promise<readonly string[]> {
    const isFree = await Promise.all(
      paths.map(async path => (await this.protectionOf(path, 'read')) === undefined),
    );
    return paths.filter((_path, index) => isFree[index]);
  }

  /** Lists a folder. Undefined if it does not exist or cannot be read. */
  async entriesOf(folder: string): Promise<readonly DirectoryEntry[] | undefined> {
    return await ifReadable(this.files.list(folder));
  }

  /** Formats a path so that `resolve` takes it: with `/`, relative if it lies in the first folder, else absolute. */
  async show(path: string): Promise<string> {
    const [real] = await this.realRoots();
    for (const root of [real, this.folders[0]]) {
      if (root === undefined || !folderContains(root, path)) continue;
      return (relative(root, path) || '.').split(sep).join('/');
    }
    return path.split(sep).join('/');
  }

  get base(): string | undefined {
    return this.folders[0];
  }

  get all(): readonly string[] {
    return this.folders;
  }

  /**
   * In multi-root workspaces users and VS Code prefix a path with its folder's name: `beta/src/a.ts`. A match in the
   * first folder wins, since plain relative paths start there.
   */
  private async meant(base: string, path: string): Promise<string> {
    const { inside } = this;
    const plain = resolve(base, path);
    // Models repeat paths that commands print in the container.
    if (inside !== undefined && folderContains(inside, plain) && !folderContains(base, plain))
      return join(base, relative(inside, plain));
    if (this.folders.length < 2 || isAbsolute(path)) return plain;
    const [name = '', ...rest] = path.replace(/^(?:\.[\\/]+)+/, '').split(sep === '/' ? '/' : /[\\/]/);
    const folder = findFolderByName(name, this.folders);
    if (folder === undefined) return plain;
    const entries = (await this.entriesOf(base)) ?? [];
    return entries.some(entry => entry.name === name) ? plain : join(folder, ...rest);
  }

  /** Follows links. A path that cannot be followed, such as a circle of links, is refused. */
  private async follow(path: string): Promise<string | FileError> {
    try {
      return await this.files.realPath(path);
    } catch (error) {
      if (error instanceof FileError) return error;
      throw error;
    }
  }

  private async findReadable(real: string): Promise<string | undefined> {
    for (const each of this.readable()) {
      const folder = await this.files.realPath(each);
      if (folderContains(folder, real)) return folder;
    }
    return undefined;
  }

  /** The workspace folders with links resolved. */
  realRoots(): Promise<readonly string[]> {
    const count = this.folders.length;
    if (this.roots?.count !== count) {
      this.roots = { count, real: Promise.all(this.folders.map(folder => this.files.realPath(folder))) };
    }
    return this.roots.real;
  }
}

function findOddity(path: string): LocatedPath | undefined {
  if (path.trim() === '') return refused(() => t('The path is empty.'));
  if (path.includes('\0')) return refused(() => t('The path contains a NUL character.'));
  // A shell would expand it to the home folder; here it would create a folder of this name.
  if (/^~[\w.-]*(?:[/\\]|$)/.test(path))
    return refused(() => t('{0}: "~" is not supported here. Give a path relative to the workspace.', path));
  // Windows network shares and devices. Such names are not used elsewhere.
  if (/^\\\\|^\/\/[^/]|^[\\/]{2}[?.][\\/]/.test(path))
    return refused(
      () => t('{0} names a network share or a device, which is outside the workspace.', path),
      outside,
    );
  if (sep === '/' && /^[a-z]:[\\/]/i.test(path))
    return refused(() => t('{0} is a path on another system, outside the workspace.', path), outside);
  if (sep === '\\' && /:/.test(path.replace(/^[a-z]:/i, '')))
    return refused(
      () => t('{0} names a data stream. Give the name of a file.', path),
      () => t('Not a file'),
    );
  return undefined;
}

const outside = () => t('Outside the workspace');

function refused(reason: LocalizedMessage, summary = reason): LocatedPath {
  return { kind: 'refused', reason, summary };
}
