import { t } from '../../../protocol/language.ts';
import { ToolFailure } from '../../core/tool.ts';
import { FileError } from '../../platform/fileSystem.ts';

/** Settles like `work`, but turns a `FileError` into a sentence about `path` that the model can act on. */
export async function convertFileErrors<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FileError ? fileFailure(error, path) : error;
  }
}

function fileFailure(error: FileError, path: string): ToolFailure {
  switch (error.kind) {
    case 'notFound':
      return new ToolFailure(`${path} does not exist.`, () => t('Not found'));
    case 'isDirectory':
      return new ToolFailure(`${path} is a folder, not a file. Use list_directory to see it.`, () =>
        t('Is a folder'),
      );
    case 'notDirectory':
      return new ToolFailure(`${path} is not a folder, or a part of this path is a file.`, () =>
        t('Not a folder'),
      );
    case 'denied':
      return new ToolFailure(`Access to ${path} is denied by the system.`, () => t('Access denied'));
    case 'notText':
      return new ToolFailure(`${path} is binary or in an unknown encoding, so it is no text.`, () =>
        t('Not text'),
      );
    case 'unencodable':
      return new ToolFailure(
        `Nothing was written: ${error.english} Write it with characters of that encoding, or convert the file by a command first.`,
        () => t('Character not in the encoding'),
      );
    case 'changed':
      return new ToolFailure(
        `${path} changed since it was read, so nothing was written. Read it again and repeat the edit.`,
        () => t('Changed in the meantime'),
      );
    case 'unsaved':
      return new ToolFailure(
        `The change stands in the editor of ${path}, which could not save it. Do not repeat it; tell the user to save the file.`,
        () => t('Not saved'),
      );
    case 'noSpace':
      return new ToolFailure(`No space is left for ${path}, so nothing was written.`, () =>
        t('No space left'),
      );
    case 'other':
      return new ToolFailure(`${path} cannot be used: ${error.english}`, () => t('File problem'));
  }
}
