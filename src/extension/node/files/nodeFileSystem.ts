import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import type { ChosenEncodings } from '../../platform/fileEncodings.ts';
import type {
  DirectoryEntry,
  FileStat,
  FileSystem,
  PreloadedFile,
  TextFile,
  TextFormat,
} from '../../platform/fileSystem.ts';
import { writeAtomically } from './atomicWrite.ts';
import { fileError, isMissing, notAFile, toFileError } from './fileErrors.ts';
import { readLinkTarget, resolveLinks } from './realPath.ts';
import { asyncStatCalls, type StatCalls } from './statCalls.ts';
import type { TextCodec } from './textCodec.ts';

/** Files on disk, without an editor in between. */
export class NodeFileSystem implements FileSystem {
  private readonly scans: StatCalls;
  private readonly codec: () => Promise<TextCodec>;

  /** @param loadEncodings the user's encodings; omitted for none */
  constructor(scans: StatCalls = asyncStatCalls, loadEncodings?: () => Promise<ChosenEncodings>) {
    this.scans = scans;
    this.codec = once(async () => {
      const [{ TextCodec }, encodings] = await Promise.all([import('./textCodec.ts'), loadEncodings?.()]);
      return new TextCodec(encodings);
    });
  }

  async realPath(path: string): Promise<string> {
    return await named(path, () => resolveLinks(path, this.scans));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const found = await named(path, async () => await this.scans.stat(path));
    if (!found) return undefined;
    const kind = kindOf(found);
    const hasMode = kind === 'file' && process.platform !== 'win32';
    const executable = hasMode ? (found.mode & 0o100) !== 0 : undefined;
    return { kind, size: found.size, modifiedAt: found.mtimeMs, executable };
  }

  readLink(path: string): Promise<string | undefined> {
    return named(path, () => readLinkTarget(path));
  }

  async list(path: string): Promise<readonly DirectoryEntry[]> {
    return await named(path, async () => {
      const entries = await readdir(path, { withFileTypes: true });
      return await Promise.all(
        entries.map(async entry => {
          if (entry.isSymbolicLink())
            return { name: entry.name, kind: await kindBehindLink(path, entry.name) };
          return { name: entry.name, kind: kindOf(entry) };
        }),
      );
    });
  }

  async readBytes(path: string, known?: FileStat): Promise<Uint8Array> {
    return await named(path, async () => {
      const found = known ?? (await this.stat(path));
      if (!found) throw fileError('notFound', path);
      const { kind, size } = found;
      if (kind === 'directory') throw fileError('isDirectory', path);
      // Reading a pipe or a device may never end.
      if (kind === 'other') throw notAFile(path);
      return (size <= maxAtOnce ? readAtOnce(path) : undefined) ?? (await readFile(path));
    });
  }

  readSaved(path: string): Promise<Uint8Array> {
    return this.readBytes(path);
  }

  async readText(path: string, known?: PreloadedFile): Promise<TextFile> {
    const file = await this.decode(path, known?.bytes ?? (await this.readBytes(path, known?.stat)));
    if (file === undefined) throw fileError('notText', path);
    return file;
  }

  async decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined> {
    return (await this.codec()).decode(path, bytes);
  }

  async encode(path: string, text: string, format: TextFormat): Promise<Uint8Array> {
    return (await this.codec()).encode(path, text, format);
  }

  async newFormat(path: string): Promise<TextFormat> {
    return (await this.codec()).newFormat(path);
  }

  async writeText(path: string, text: string, format: TextFormat, expected?: string | null): Promise<void> {
    const bytes = await this.encode(path, text, format);
    const target = await this.realPath(path);
    const check = expected === undefined ? {} : { check: () => this.expect(target, expected) };
    await writeAtomically(target, bytes, check);
    (await this.codec()).remember(target, format);
  }

  async writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    await writeAtomically(await this.realPath(path), bytes);
  }

  async delete(path: string): Promise<void> {
    try {
      await unlink(path);
    } catch (error) {
      if (isMissing(error)) return;
      // macOS reports EPERM for a folder.
      if (errorCode(error) === 'EPERM' && (await this.stat(path))?.kind === 'directory') {
        throw fileError('isDirectory', path);
      }
      throw toFileError(error, path);
    }
  }

  async writeLink(path: string, target: string): Promise<void> {
    await named(path, async () => {
      const temporary = join(dirname(path), `.folio-${randomBytes(6).toString('hex')}.tmp`);
      await mkdir(dirname(path), { recursive: true });
      await symlink(target, temporary);
      try {
        await rename(temporary, path);
      } catch (error) {
        await unlink(temporary);
        throw error;
      }
    });
  }

  async setExecutable(path: string, executable: boolean): Promise<void> {
    if (process.platform === 'win32') return;
    await named(path, async () => {
      const found = await stat(path);
      if (!found.isFile()) throw notAFile(path);
      const mode = found.mode & 0o7777;
      const readers = (mode & 0o444) >> 2;
      await chmod(path, executable ? mode | readers | 0o100 : mode & ~0o111);
    });
  }

  private async expect(path: string, expected: string | null): Promise<void> {
    const found = await this.stat(path);
    if (found === undefined && expected === null) return;
    if (found === undefined || expected === null) throw fileError('changed', path);
    const file = await this.decode(path, await this.readBytes(path));
    if (file?.text !== expected) throw fileError('changed', path);
  }
}

/** Maximum bytes read synchronously: up to this size, that is faster than four thread switches. */
const maxAtOnce = 64 * 1024;

/** Reads a small file from a disk that has just answered. Returns `undefined` if reading could block. */
function readAtOnce(path: string): Uint8Array | undefined {
  let file: number | undefined;
  try {
    // A pipe may have replaced the file, or a server may hold a lease on it. Windows lacks this flag.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    // A file without allocated blocks may be stored in a cloud, and downloaded when it is read.
    return fstatSync(file).blocks === 0 ? undefined : readFileSync(file);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function named<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw toFileError(error, path);
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

async function kindBehindLink(folder: string, name: string): Promise<FileStat['kind']> {
  try {
    return kindOf(await stat(join(folder, name)));
  } catch {
    // The link is broken, circular, or leads to a forbidden place: an unusable entry.
    return 'other';
  }
}
