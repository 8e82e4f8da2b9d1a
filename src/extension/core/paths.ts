import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { inEnglish, type Saying, t } from '../../protocol/language.ts';
import { folderNamed } from '../../protocol/words/folderNames.ts';
import { messageOf } from '../base/errors.ts';
import { type DirectoryEntry, FileError, type FileSystem, ifReadable } from '../platform/fileSystem.ts';
import { contains, showIn } from './folderPaths.ts';
import { type Access, findProtection, type Protection } from './protectedPaths.ts';
import { ToolFailure } from './tool.ts';

/** Where a path leads. `summary` is for the card. */
export type Place =
  | { readonly kind: 'inside'; readonly path: string; readonly protection?: Protection }
  | { readonly kind: 'refused'; readonly reason: Saying; readonly summary: Saying };

/**
 * The one gate through which every path from a model goes. Symlinks are resolved first, so that no link leads
 * out of the workspace.
 */
export class WorkspacePaths {
  private readonly files: Pick<FileSystem, 'realPath' | 'list'>;
  private readonly folders: readonly string[];
  private readonly readable: () => readonly string[];
  private readonly own: readonly string[];
  private readonly inside: string | undefined;
  private roots: { readonly count: number; readonly real: Promise<readonly string[]> } | undefined;

  /**
   * @param folders absolute workspace folders, the first is the base of relative paths; more may be added to the list
   * @param readable further folders that may be read, for example the session's saved outputs
   * @param own absolute folders in which Folio keeps what is its own, should they lie in the workspace
   * @param inside absolute: the first folder, as commands see it in their container
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

  /** The absolute, real path. Throws `ToolFailure` when it lies outside of what `access` allows. */
  async resolve(path: string, access: Access): Promise<string> {
    const place = await this.locate(path, access);
    if (place.kind === 'refused') throw new ToolFailure(inEnglish(place.reason), place.summary);
    return place.path;
  }

  /** Where a path leads, and what protects it there. */
  async locate(path: string, access: Access): Promise<Place> {
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
    const isInWorkspace =
      !systemFolders.test(real) && (await this.realRoots()).some(root => contains(root, real));
    // Most paths lie in the workspace: for them the disk is not asked about further folders.
    const isOpenToo = access === 'read' && (!isInWorkspace || this.own.length > 0);
    const readable = isOpenToo ? await this.findReadable(real) : undefined;
    if (readable !== undefined)
      return { kind: 'inside', path: real, protection: findProtection(showIn(readable, real), 'read') };
    const beyond = refused(
      () =>
        t('{0} is outside the workspace. Only files below {1} can be used.', path, this.folders.join(', ')),
      outside,
    );
    if (!isInWorkspace) return beyond;
    // The name counts too: a link called `.env` is one, wherever it leads.
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

  /** @param path absolute, as `resolve`, a search or a listing gave it */
  async protectionOf(path: string, access: Access): Promise<Protection | undefined> {
    for (const folder of this.own) {
      if (contains(await this.files.realPath(folder), path))
        return { kind: 'sealed', why: () => t('Folio keeps its own files there.') };
    }
    const roots = [...(await this.realRoots()), ...this.folders];
    const root = roots.filter(each => contains(each, path)).sort((a, b) => b.length - a.length)[0];
    return root === undefined ? undefined : findProtection(showIn(root, path), access);
  }

  /** Those paths of a search that nobody has to be asked about. */
  async unprotected(paths: readonly string[]): Promise<readonly string[]> {
    const isFree = await Promise.all(
      paths.map(async path => (await this.protectionOf(path, 'read')) === undefined),
    );
    return paths.filter((_path, index) => isFree[index]);
  }

  /** Lists a folder; undefined where there is none that can be read. */
  async entriesOf(folder: string): Promise<readonly DirectoryEntry[] | undefined> {
    return await ifReadable(this.files.list(folder));
  }

  /** As it can be given back to `resolve`: relative to the first folder, with `/`, where it lies in it; else absolute, with `/` too. */
  async show(path: string): Promise<string> {
    const [real] = await this.realRoots();
    for (const root of [real, this.folders[0]]) {
      if (root === undefined || !contains(root, path)) continue;
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
   * With several folders a user, and VS Code, names a file by its folder: `beta/src/a.ts`. What lies under that name
   * in the first folder goes first, since there a path without a folder leads.
   */
  private async meant(base: string, path: string): Promise<string> {
    const { inside } = this;
    const plain = resolve(base, path);
    // Models repeat what commands print.
    if (inside !== undefined && contains(inside, plain) && !contains(base, plain))
      return join(base, relative(inside, plain));
    if (this.folders.length < 2 || isAbsolute(path)) return plain;
    const [name = '', ...rest] = path.replace(/^(?:\.[\\/]+)+/, '').split(sep === '/' ? '/' : /[\\/]/);
    const folder = folderNamed(name, this.folders);
    if (folder === undefined) return plain;
    const entries = (await this.entriesOf(base)) ?? [];
    return entries.some(entry => entry.name === name) ? plain : join(folder, ...rest);
  }

  /** A path that cannot be followed, a circle of links for example, leads nowhere that may be used. */
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
      if (contains(folder, real)) return folder;
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

/** Closed even where the root of the disk is the workspace: they hold devices, and the memory of processes. */
const systemFolders = /^\/(?:proc|sys|dev)(?:\/|$)/;

function findOddity(path: string): Place | undefined {
  if (path.trim() === '') return refused(() => t('The path is empty.'));
  if (path.includes('\0')) return refused(() => t('The path contains a NUL character.'));
  // A shell would lead it home; here it would make a folder of this name.
  if (/^~[\w.-]*(?:[/\\]|$)/.test(path))
    return refused(() => t('{0}: "~" is not supported here. Give a path relative to the workspace.', path));
  // Network shares and devices of Windows; elsewhere nobody names a file so.
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

function refused(reason: Saying, summary = reason): Place {
  return { kind: 'refused', reason, summary };
}
