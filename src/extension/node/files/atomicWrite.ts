import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { FileError } from '../../platform/fileSystem.ts';
import { fileError, isMissing, notAFile, toFileError } from './fileErrors.ts';

interface AtomicWrite {
  /** Runs immediately before the new content replaces the old. Throwing keeps the old. */
  readonly check?: () => Promise<void>;
  /** Mode of a new file; the process's umask applies. */
  readonly mode?: number;
}

/**
 * Replaces a file completely or not at all: writes and syncs a temporary file beside it, then renames it. An existing
 * file keeps its mode and, where possible, its owner. Creates missing folders. A host killed in between leaves the old
 * file and a stray `.folio-….tmp`. A file with hard links is overwritten in place, so that all its names keep the same
 * content; the temporary file holds the whole text until that is done.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  options: AtomicWrite = {},
): Promise<void> {
  try {
    const old = await findReplaceable(path);
    if (!old) await mkdir(dirname(path), { recursive: true });
    await place(path, bytes, { old, ...options });
  } catch (error) {
    throw toFileError(error, path);
  }
}

/**
 * Atomically writes a file of Folio's own for its user alone, ignoring mode and owner of an older one. Creates missing
 * folders.
 */
export async function writeOwnFileAtomically(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await place(path, bytes, { mode: 0o600 }).catch(async error => {
      if (!isMissing(error)) throw error;
      // Most folders exist already. A new folder grants no more access than the file.
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await place(path, bytes, { mode: 0o600 });
    });
  } catch (error) {
    throw toFileError(error, path);
  }
}

async function place(
  path: string,
  bytes: Uint8Array,
  { old, mode, check }: AtomicWrite & { readonly old?: Stats },
): Promise<void> {
  const temporary = join(dirname(path), `.folio-${randomBytes(6).toString('hex')}.tmp`);
  let isOverwriting = false;
  try {
    await writeNew(temporary, bytes, old, mode);
    await check?.();
    isOverwriting = old !== undefined && old.nlink > 1;
    if (isOverwriting) {
      await overwrite(path, bytes);
      isOverwriting = false;
      await unlink(temporary);
    } else await rename(temporary, path);
  } catch (error) {
    // The target may be partly written, so keep the only complete copy.
    if (isOverwriting) throw partlyWritten(path, temporary, error);
    // Report the first error; the temporary file may not exist yet.
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

function partlyWritten(path: string, copy: string, cause: unknown): FileError {
  return new FileError('other', path, () =>
    t('{0} could not be written completely ({1}). The full text is in {2}.', path, messageOf(cause), copy),
  );
}

async function overwrite(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.writeFile(bytes);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Stats of the existing file, `undefined` if there is none. Rejects for anything that must not be replaced. */
async function findReplaceable(path: string): Promise<Stats | undefined> {
  let old: Stats;
  try {
    old = await stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (old.isDirectory()) throw fileError('isDirectory', path);
  if (!old.isFile()) throw notAFile(path);
  // Renaming needs permission only for the folder, so check that the file itself is writable.
  await access(path, constants.W_OK);
  return old;
}

async function writeNew(
  path: string,
  bytes: Uint8Array,
  old: Stats | undefined,
  mode: number | undefined,
): Promise<void> {
  const handle = await open(path, 'wx', mode ?? 0o666);
  try {
    await handle.writeFile(bytes);
    if (old) await keepOwnerAndMode(handle, old);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== old.uid || now.gid !== old.gid) {
    try {
      await handle.chown(old.uid, old.gid);
    } catch (error) {
      // Only root may change the owner; a file that we can write but do not own becomes ours.
      if (errorCode(error) !== 'EPERM') throw error;
    }
  }
  // After chown, which clears the set-user bits.
  await handle.chmod(old.mode & 0o7777);
}
