import { errorCode, messageOf } from '../../base/errors.ts';
import { FileError, type FileErrorKind } from '../../platform/fileSystem.ts';

/** The `FileError` for what Node reported about a path; a `FileError` stays as it is. */
export function toFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  const kind = kindOf(errorCode(error));
  return new FileError(kind, path, sentenceOf(kind, path, error), error);
}

function kindOf(code: string | undefined): FileErrorKind {
  switch (code) {
    case 'ENOENT':
      return 'notFound';
    case 'EISDIR':
      return 'isDirectory';
    // EEXIST comes from making a folder where a file stands.
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

function sentenceOf(kind: FileErrorKind, path: string, error: unknown): string {
  switch (kind) {
    case 'notFound':
      return `There is nothing at ${path}.`;
    case 'isDirectory':
      return `${path} is a folder, not a file.`;
    case 'notDirectory':
      return `A part of ${path} is a file, not a folder.`;
    case 'denied':
      return `The system denies access to ${path}. Check its permissions.`;
    case 'notText':
      return `${path} is not a text file in UTF-8 or UTF-16.`;
    case 'changed':
      return `${path} has changed meanwhile. Read it again.`;
    case 'unsaved':
      return `${path} stands unsaved in its editor.`;
    case 'noSpace':
      return `The disk is full: ${path} could not be written. Free some space, then try again.`;
    case 'other':
      if (errorCode(error) === 'ELOOP') return `The symbolic links at ${path} lead in a circle.`;
      return `${path} could not be used: ${messageOf(error)}`;
  }
}

/** A `FileError` of a kind that no system call reported. */
export function fileError(kind: Exclude<FileErrorKind, 'other'>, path: string): FileError {
  return new FileError(kind, path, sentenceOf(kind, path, undefined));
}

/** Pipes, sockets and devices: reading may never end, and replacing one would break the programs that use it. */
export function notAFile(path: string): FileError {
  return new FileError('other', path, `${path} is neither a file nor a folder and is left alone.`);
}

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
