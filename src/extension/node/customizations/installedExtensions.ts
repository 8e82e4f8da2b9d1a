/* Finds a user's extensions: each is a folder in their home, or a link to a folder elsewhere. */

import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { CustomOrigin, ExtensionLocation } from '../../platform/customizations/customFiles.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded } from '../files/readBounded.ts';
import { containsPath, realPathOrSame } from '../files/realPath.ts';
import { AllowedSources } from './allowedSources.ts';
import { isExtensionDisabled, readEnablement } from './enablement.ts';
import { installMetadataFileName, readInstallMetadata } from './installNote.ts';

export interface InstalledExtension {
  readonly origin: CustomOrigin;
  readonly place: ExtensionLocation;
  /** Why it cannot be read, as a user-facing message. */
  readonly problem?: string;
}

/** Sorted by name. @param home absolute path. @param folders absolute workspace folders */
export async function findExtensions(
  home: string,
  folders: readonly string[],
  documents: SettingsDocuments,
): Promise<readonly InstalledExtension[]> {
  const root = join(home, '.gemini', 'extensions');
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  // The name of an extension that is being downloaded begins with a dot.
  const isMeant = (entry: Dirent) => !entry.isFile() && !entry.name.startsWith('.');
  const names = entries.filter(isMeant).map(({ name }) => name);
  if (names.length === 0) return [];
  const enablement = await readEnablement(root);
  const allowed = await AllowedSources.read(documents, home);
  const [realRoot, ...realFolders] = await Promise.all([root, ...folders].map(realPathOrSame));
  const roots = { real: realRoot!, folders: realFolders };
  return Promise.all(
    names.sort().map(async name => {
      const folder = join(root, name);
      const isOff =
        isExtensionDisabled(enablement, name, folders[0] ?? home) ||
        !allowed.allowsInstalled(await readInstallMetadata(folder));
      return findOne({ name, folder, isOff: isOff || undefined }, roots);
    }),
  );
}

interface Roots {
  /** Folder of the extensions, with links resolved. */
  readonly real: string;
  /** Workspace folders, with links resolved. */
  readonly folders: readonly string[];
}

/** @param own its place as installed */
async function findOne(own: ExtensionLocation, roots: Roots): Promise<InstalledExtension> {
  const { name, folder: installed } = own;
  const link = await readLink(installed);
  const folder = link.kind === 'link' ? link.source : installed;
  const linkedFrom = folder === installed ? undefined : installed;
  const installedAt = link.kind === 'none' ? link.installedAt : undefined;
  const place = { ...own, folder, linkedFrom, installedAt };
  const asOwn = { origin: { kind: 'extension' as const, ...place }, place };
  if (link.kind === 'broken') return { ...asOwn, problem: link.problem };
  try {
    const real = await realpath(folder);
    // One that is installed as a folder belongs to the user, even if its folder is the open workspace.
    const isLinked = real !== join(roots.real, name);
    if (!isLinked || !roots.folders.some(each => overlap(each, real))) return asOwn;
    return { origin: { kind: 'workspace', extension: place }, place };
  } catch (error) {
    const problem = isMissing(error)
      ? t(
          'The extension {0} is linked to {1}, which does not exist. Link it again, or remove {2}.',
          name,
          folder,
          installed,
        )
      : t(
          'The extension {0} is linked to {1}, which cannot be read ({2}). Link it again, or remove {3}.',
          name,
          folder,
          messageOf(error),
          installed,
        );
    return { ...asOwn, problem };
  }
}

const maxBytes = 64 * 1024;

type Link =
  /** `installedAt`: milliseconds, if recorded. */
  | { readonly kind: 'none'; readonly installedAt?: number }
  | { readonly kind: 'link'; readonly source: string }
  | { readonly kind: 'broken'; readonly problem: string };

async function readLink(installed: string): Promise<Link> {
  const path = join(installed, installMetadataFileName);
  try {
    const note: unknown = JSON.parse(await readBounded(path, maxBytes));
    if (!isRecord(note) || note.type !== 'link') {
      const { mtimeMs } = await stat(path);
      return { kind: 'none', installedAt: mtimeMs };
    }
    const { source } = note;
    if (typeof source === 'string' && isAbsolute(source)) return { kind: 'link', source };
    return {
      kind: 'broken',
      problem: t('{0} does not name the folder that the extension is linked to.', path),
    };
  } catch (error) {
    if (isMissing(error)) return { kind: 'none' };
    return {
      kind: 'broken',
      problem: t('{0} cannot be used: {1}.', path, messageOf(error).replace(/\.$/, '')),
    };
  }
}

/** A folder that contains the workspace, or a part of it, contains workspace content. */
function overlap(one: string, other: string): boolean {
  return containsPath(one, other) || containsPath(other, one);
}
