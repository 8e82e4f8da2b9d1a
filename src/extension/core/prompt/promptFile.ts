/* Handles environment variables that read the system prompt from a file or write it to one. */

import { join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { FileError, type FileSystem, utf8Format } from '../../platform/fileSystem.ts';
import { folderContains } from '../folderPaths.ts';

export interface SystemPromptRoots {
  /** The first workspace folder, absolute. */
  readonly folder: string | undefined;
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly trusted: boolean;
}

type PromptFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly path: string }
  /** Requested but impossible; the reason is a sentence for the user. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A requested prompt file cannot be used; the message tells what to do. */
export class PromptFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PromptFileError';
  }
}

/**
 * Resolves a variable's file: with `1` or `true`, `.gemini/system.md` in the workspace, else in the home folder; with
 * `0`, `false` or an empty value, none; otherwise a path relative to the workspace. Never a file in an untrusted
 * workspace. Does not check that the file exists: for `GEMINI_WRITE_SYSTEM_MD` it is the one to write.
 */
export async function resolvePromptVariable(
  files: Pick<FileSystem, 'realPath' | 'stat'>,
  variable: 'GEMINI_SYSTEM_MD' | 'GEMINI_WRITE_SYSTEM_MD',
  value: string | undefined,
  place: SystemPromptRoots,
): Promise<PromptFile> {
  const given = value?.trim() ?? '';
  if (/^(|0|false)$/i.test(given)) return { kind: 'none' };
  const path = await locate(files, given, place);
  if (path === undefined) {
    return { kind: 'refused', reason: `${variable} names a file in the workspace, but no folder is open.` };
  }
  if (!place.trusted && place.folder !== undefined) {
    const real = await files.realPath(path);
    if (folderContains(place.folder, path) || folderContains(await files.realPath(place.folder), real)) {
      return {
        kind: 'refused',
        reason: `${variable} is ignored because ${path} lies in a workspace that is not trusted. Trust the workspace to use it.`,
      };
    }
  }
  return { kind: 'file', path };
}

/** Throws `PromptFileError` if the file cannot be read or is empty. */
export async function readPromptFile(files: Pick<FileSystem, 'readText'>, path: string): Promise<string> {
  const text = await files.readText(path).then(
    file => file.text,
    (error: unknown) => {
      const missing = error instanceof FileError && error.kind === 'notFound';
      const reason = missing ? 'does not exist' : `cannot be read (${messageOf(error)})`;
      throw new PromptFileError(
        `The system prompt file ${path} ${reason}. Create it, or unset GEMINI_SYSTEM_MD.`,
        error,
      );
    },
  );
  if (text.trim() !== '') return text;
  throw new PromptFileError(
    `The system prompt file ${path} is empty. Write a prompt into it, or unset GEMINI_SYSTEM_MD.`,
  );
}

/** Throws `PromptFileError` if the file cannot be written. */
export async function writePromptFile(
  files: Pick<FileSystem, 'writeText'>,
  path: string,
  prompt: string,
): Promise<void> {
  try {
    await files.writeText(path, `${prompt}\n`, utf8Format);
  } catch (error) {
    throw new PromptFileError(
      `The system prompt could not be written to ${path} (${messageOf(error)}). Name a file that can be written in GEMINI_WRITE_SYSTEM_MD.`,
      error,
    );
  }
}

async function locate(
  files: Pick<FileSystem, 'stat'>,
  given: string,
  place: SystemPromptRoots,
): Promise<string | undefined> {
  if (/^(1|true)$/i.test(given)) return locateDefault(files, place);
  const { folder, home } = place;
  if (/^~[/\\]/.test(given)) return resolve(home, given.slice(2));
  const path = resolve(folder ?? '/', given);
  return folder === undefined && resolve(given) !== given ? undefined : path;
}

/** If none exists, returns the path in the workspace. */
async function locateDefault(
  files: Pick<FileSystem, 'stat'>,
  { folder, home, trusted }: SystemPromptRoots,
): Promise<string> {
  const name = join('.gemini', 'system.md');
  const own = join(home, name);
  if (folder === undefined) return own;
  const ofWorkspace = join(folder, name);
  const isTaken = trusted && (await files.stat(ofWorkspace)) !== undefined;
  return !isTaken && (await files.stat(own)) !== undefined ? own : ofWorkspace;
}
