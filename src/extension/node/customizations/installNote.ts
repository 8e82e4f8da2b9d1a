/* The metadata file in an extension's folder that says how it was installed, shared with other programs. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/record.ts';
import type { InstallMetadata } from '../../platform/customizations/extensionFolders.ts';
import { readBounded } from '../files/readBounded.ts';

export const installMetadataFileName = '.gemini-extension-install.json';
const maxBytes = 64 * 1024;

/** Resolves to `undefined` if the file is missing or invalid. @param folder absolute path */
export async function readInstallMetadata(folder: string): Promise<InstallMetadata | undefined> {
  try {
    return parseNote(JSON.parse(await readBounded(join(folder, installMetadataFileName), maxBytes)));
  } catch {
    // Without the file, the extension counts as installed by hand.
    return undefined;
  }
}

export async function writeInstallMetadata(folder: string, note: InstallMetadata): Promise<void> {
  await writeFile(join(folder, installMetadataFileName), `${JSON.stringify(note, null, 2)}\n`, {
    flag: 'wx',
  });
}

function parseNote(content: unknown): InstallMetadata | undefined {
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

function typeOf(type: unknown): InstallMetadata['type'] | undefined {
  // The files of a release are in its repository as well.
  if (type === 'github-release') return 'git';
  return type === 'git' || type === 'local' || type === 'link' ? type : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
