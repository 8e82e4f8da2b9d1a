/* The small file in the folder of an extension that says how it was installed; other programs write and read it, too. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/record.ts';
import type { InstallNote } from '../../platform/customizations/extensionFolders.ts';
import { readBounded } from '../files/readBounded.ts';

export const noteName = '.gemini-extension-install.json';
const maxBytes = 64 * 1024;

/** Undefined where there is none that can be used. @param folder absolute */
export async function readNote(folder: string): Promise<InstallNote | undefined> {
  try {
    return parseNote(JSON.parse(await readBounded(join(folder, noteName), maxBytes)));
  } catch {
    // Without it the extension counts as one that somebody put there by hand.
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
  // The files of a release stand in its repository as well.
  if (type === 'github-release') return 'git';
  return type === 'git' || type === 'local' || type === 'link' ? type : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
