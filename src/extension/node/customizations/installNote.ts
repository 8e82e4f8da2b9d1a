/* The metadata file in an extension's folder that says how it was installed, shared with other programs. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/record.ts';
import type { InstallNote } from '../../platform/customizations/extensionFolders.ts';
import { readBounded } from '../files/readBounded.ts';

export const noteName = '.gemini-extension-install.json';
const maxBytes = 64 * 1024;

/** Resolves to `undefined` if the file is missing or invalid. @param folder absolute path */
export async function readNote(folder: string): Promise<InstallNote | undefined> {
  try {
    return parseNote(JSON.parse(await readBounded(join(folder, noteName), maxBytes)));
  } catch {
    // Without the file, the extension counts as installed by hand.
    return undefined;
  }
}

export async function writeNote(folder: string, note: InstallNote): Promise<void> {
  await writeFile(join(folder, noteName), `${JSON.stringify(note, null, 2)}\n`, { flag: 'wx' });
}

function parseNote(content: unknown): InstallNote | undefined {
  if (!isRecord(content) || typeof content.source !== 'string') return undefined;
  const { source, ref, commit, digest, plugin, market } = content;
  const type = typeOf(content.type);
  if (!type) return undefined;
  return {
    source,
    type,
    ref: textOf(ref),
    commit: textOf(commit),
    digest: textOf(digest),
    plugin: textOf(plugin),
    market: textOf(market),
  };
}

function typeOf(type: unknown): InstallNote['type'] | undefined {
  // The files of a release are in its repository as well.
  if (type === 'github-release') return 'git';
  return type === 'git' || type === 'local' || type === 'link' ? type : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
