import { t } from '../../../protocol/language.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { FileError, type FileErrorKind } from '../../platform/fileSystem.ts';

/** Converts a Node error about a path to a `FileError`. Returns a `FileError` unchanged. */
export function toFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  const kind = kindOf(errorCode(error));
  return new FileError(kind, path, () => sentenceOf(kind, path, error), error);
}

function kindOf(code: string | undefined): Exclude<FileErrorKind, 'unencodable'> {
  switch (code) {
    case 'ENOENT':
      return 'notFound';
    case 'EISDIR':
      return 'isDirectory';
    // EEXIST occurs when creating a folder where a file exists.
    case 'ENOTDIR':
    case 'EEXIST':
      return 'notDirectory';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'denied';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'noSpace';
    default:
      return 'other';
  }
}

function sentenceOf(kind: Exclude<FileErrorKind, 'unencodable'>, path: string, error: unknown): string {
  switch (kind) {
    case 'notFound':
      return t('{0} does not exist.', path);
    case 'isDirectory':
      return t('{0} is a folder, not a file.', path);
    case 'notDirectory':
      return t('A part of {0} is a file, not a folder.', path);
    case 'denied':
      return t('The system denies access to {0}. Check its permissions.', path);
    case 'notText':
      return t('{0} is not a text file, or one in an unknown encoding.', path);
    case 'changed':
      return t('{0} has changed. Read it again.', path);
    case 'unsaved':
      return t('{0} has unsaved changes in an editor.', path);
    case 'noSpace':
      return t('The disk is full: {0} could not be written. Free some space, then try again.', path);
    case 'other':
      if (errorCode(error) === 'ELOOP') return t('The symbolic links at {0} lead in a circle.', path);
      return t('{0} could not be used: {1}', path, messageOf(error));
  }
}

/** Creates a `FileError` that no system call reported. */
export function fileError(kind: Exclude<FileErrorKind, 'other' | 'unencodable'>, path: string): FileError {
  return new FileError(kind, path, () => sentenceOf(kind, path, undefined));
}

/** Pipes, sockets and devices: reading may never end, and replacing one would break the programs that use it. */
export function notAFile(path: string): FileError {
  return new FileError('other', path, () => t('{0} is not a file or a folder, so it was not changed.', path));
}

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
