import { join } from 'node:path';
import type { ExtensionSource, InstallNote } from '../../platform/customizations/extensionFolders.ts';
import { findValue } from '../../platform/findSetting.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { BoundedRegExp } from '../search/boundedRegExp.ts';

/**
 * The sources that the user's settings allow extensions from: `security.allowedExtensions`, regular expressions one of
 * which must match the source, else `security.blockGitExtensions`.
 */
interface AllowedSources {
  /** @param note absent: nobody noted where it is from */
  isInstalledAllowed(note: Pick<InstallNote, 'type' | 'source'> | undefined): boolean;
  isSourceAllowed(source: ExtensionSource): boolean;
}

/** @param home absolute */
export async function readAllowedSources(
  documents: SettingsDocuments,
  home: string,
): Promise<AllowedSources> {
  const document = await documents.read(join(home, '.gemini', 'settings.json'));
  const content = document?.status === 'parsed' ? document.content : undefined;
  const given = findValue(content, 'security.allowedExtensions');
  const patterns = typeof given === 'string' ? [given] : given;
  const isGitBlocked = [true, 'true'].some(on => findValue(content, 'security.blockGitExtensions') === on);
  // A list that cannot be read allows nothing.
  const isListed = (source: string) =>
    Array.isArray(patterns) && patterns.some(each => matches(each, source));
  const isAllowed = (source: string | undefined, isGit: boolean) => {
    if (patterns === undefined || (Array.isArray(patterns) && patterns.length === 0))
      return !(isGit && isGitBlocked);
    return source !== undefined && isListed(source);
  };
  return {
    isInstalledAllowed: note => isAllowed(note?.source, note?.type === 'git'),
    isSourceAllowed: source =>
      source.kind === 'git' ? isAllowed(source.address, true) : isAllowed(source.path, false),
  };
}

function matches(pattern: unknown, source: string): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new BoundedRegExp(pattern, true).testAll([source])[0] === true;
  } catch {
    // A pattern that is malformed or never ends allows nothing.
    return false;
  }
}
