import { join } from 'node:path';
import type { ExtensionSource, InstallMetadata } from '../../platform/customizations/extensionFolders.ts';
import { findSettingValue, toList } from '../../platform/findSetting.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { BoundedRegExp } from '../search/boundedRegExp.ts';

/**
 * The extension sources that the user's settings allow. `security.allowedExtensions` lists regular expressions, of
 * which one must match the source. If it is unset, `security.blockGitExtensions` applies.
 */
export class AllowedSources {
  private readonly patterns: readonly unknown[] | undefined;
  private readonly isGitBlocked: boolean;

  /** @param settings content of the user's settings file */
  constructor(settings: unknown) {
    const given = findSettingValue(settings, 'security.allowedExtensions');
    // Anything but a list allows nothing. An empty or missing list leaves it to the other setting.
    const patterns = given === undefined ? [] : (toList(given) ?? [given]);
    this.patterns = patterns.length > 0 ? patterns : undefined;
    this.isGitBlocked = [true, 'true'].some(
      on => findSettingValue(settings, 'security.blockGitExtensions') === on,
    );
  }

  /** @param home absolute path */
  static async read(documents: SettingsDocuments, home: string): Promise<AllowedSources> {
    const document = await documents.read(join(home, '.gemini', 'settings.json'));
    return new AllowedSources(document?.status === 'parsed' ? document.content : undefined);
  }

  /** @param note omitted if the origin is unknown */
  allowsInstalled(note: Pick<InstallMetadata, 'type' | 'source'> | undefined): boolean {
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
    // An invalid or endless pattern allows nothing.
    return false;
  }
}
