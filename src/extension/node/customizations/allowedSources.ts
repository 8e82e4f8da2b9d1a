import { join } from 'node:path';
import type { ExtensionSource, InstallNote } from '../../platform/customizations/extensionFolders.ts';
import { findValue, toList } from '../../platform/findSetting.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { BoundedRegExp } from '../search/boundedRegExp.ts';

/**
 * The sources that the user's settings allow extensions from: `security.allowedExtensions`, regular expressions one of
 * which must match the source, else `security.blockGitExtensions`.
 */
export class AllowedSources {
  private readonly patterns: readonly unknown[] | undefined;
  private readonly isGitBlocked: boolean;

  /** @param settings the content of the user's settings file */
  constructor(settings: unknown) {
    const given = findValue(settings, 'security.allowedExtensions');
    // A value that is no list allows nothing; an empty list, as no list, leaves it to the other setting.
    const patterns = given === undefined ? [] : (toList(given) ?? [given]);
    this.patterns = patterns.length > 0 ? patterns : undefined;
    this.isGitBlocked = [true, 'true'].some(on => findValue(settings, 'security.blockGitExtensions') === on);
  }

  /** @param home absolute */
  static async read(documents: SettingsDocuments, home: string): Promise<AllowedSources> {
    const document = await documents.read(join(home, '.gemini', 'settings.json'));
    return new AllowedSources(document?.status === 'parsed' ? document.content : undefined);
  }

  /** @param note absent: nobody noted where it is from */
  allowsInstalled(note: Pick<InstallNote, 'type' | 'source'> | undefined): boolean {
    return this.allows(note?.source, note?.type === 'git');
  }

  allowsSource(source: ExtensionSource): boolean {
    return source.kind === 'git' ? this.allows(source.address, true) : this.allows(source.path, false);
  }

  private allows(source: string | undefined, isGit: boolean): boolean {
    if (this.patterns) return source !== undefined && this.patterns.some(each => matches(each, source));
    return !(isGit && this.isGitBlocked);
  }
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
