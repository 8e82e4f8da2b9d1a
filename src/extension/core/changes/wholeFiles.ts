/* Carries out decisions in the file system. */

import { t } from '../../../protocol/language.ts';
import { FileError, type FileSystem, type TextFile, type TextFormat } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { isExecutableNow } from '../../review/fileMode.ts';
import { presentText } from '../../review/fileReview.ts';
import type { FileReview } from '../../review/hunk.ts';
import { maxShownBytes, readUnit, type WholeFile, wholeFile, writeUnit } from '../../review/wholeFile.ts';
import { expectNoLink } from './attributedFileSystem.ts';
import { blobIdOf, type FileContent } from './bytes.ts';
import { isRejectedCreation } from './reviewPlace.ts';

type ReviewedFiles = Pick<
  FileSystem,
  | 'stat'
  | 'readBytes'
  | 'decode'
  | 'encode'
  | 'readLink'
  | 'writeText'
  | 'writeBytes'
  | 'writeLink'
  | 'delete'
  | 'setExecutable'
>;

export async function toWholeFile(
  files: Pick<FileSystem, 'decode'>,
  path: string,
  { bytes, executable, link }: FileContent,
): Promise<WholeFile | null> {
  if (link !== undefined) return { link };
  if (!bytes) return null;
  const size = bytes.length;
  const text = size <= maxShownBytes ? await files.decode(path, bytes) : undefined;
  return wholeFile({ text, blob: blobIdOf(bytes)!, size }, executable);
}

/** Returns the current content as one unit; empty: the file does not exist. */
export async function readWholeFile(
  files: Pick<FileSystem, 'stat' | 'readBytes' | 'decode' | 'readLink'>,
  path: string,
): Promise<string> {
  const link = await files.readLink(path);
  if (link !== undefined) return writeUnit({ link });
  const stat = await files.stat(path);
  if (!stat) return writeUnit(null);
  const { executable } = stat;
  return writeUnit(await toWholeFile(files, path, { bytes: await files.readBytes(path), executable }));
}

/** Reads the file itself. Throws a `FileError` of the kind `changed` if a symbolic link replaced it. */
export async function readTextUnlessLinked(
  files: Pick<FileSystem, 'realPath' | 'readText'>,
  path: string,
): Promise<TextFile> {
  await expectNoLink(path, files);
  return files.readText(path);
}

/** Writes a decision's result. Throws `FileError` if the file has changed. */
export async function writeReviewedFile(
  files: ReviewedFiles,
  blobs: BlobStore,
  path: string,
  {
    before,
    next,
    format,
  }: { readonly before: FileReview; readonly next: FileReview; readonly format: TextFormat },
): Promise<void> {
  const [expected, wanted] = [presentText(before), presentText(next)];
  if (next.by === 'file') return writeWhole(files, blobs, path, { expected, wanted });
  if (isRejectedCreation(next)) return files.delete(path);
  const isThere = !isRejectedCreation(before);
  if (wanted !== expected || !isThere) await files.writeText(path, wanted, format, isThere ? expected : null);
  const mode = isExecutableNow(next);
  if (mode !== undefined && mode !== isExecutableNow(before)) await files.setExecutable(path, mode);
}

async function writeWhole(
  files: ReviewedFiles,
  blobs: BlobStore,
  path: string,
  { expected, wanted }: { readonly expected: string; readonly wanted: string },
): Promise<void> {
  if ((await readWholeFile(files, path)) !== expected)
    throw new FileError('changed', path, () => t('the file changed in the meantime.'));
  const file = readUnit(wanted || undefined);
  if (!file) return files.delete(path);
  if ('link' in file) return files.writeLink(path, file.link);
  const bytes = await ('text' in file ? files.encode(path, file.text, file.format) : blobs.get(file.blob));
  if (!bytes) throw new FileError('other', path, () => t('its earlier content is no longer stored.'));
  // Bytes would be written through the link.
  if ((await files.readLink(path)) !== undefined) await files.delete(path);
  await files.writeBytes(path, bytes);
  const executable = file.executable === true;
  const present = (await files.stat(path))?.executable;
  if (present !== undefined && present !== executable) await files.setExecutable(path, executable);
}
