/* Parses sources of extensions: a folder, or a Git URL whose protocol only fetches. */

import { isAbsolute, join, resolve } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { hasInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ExtensionSource } from '../../../platform/customizations/extensionFolders.ts';
import { CommandError } from '../../commandError.ts';

export interface SourceBases {
  /** Absolute path of the user's home folder; absent: `~` is not expanded. */
  readonly home?: string;
  /** Base of relative paths; absent: no folder is open. */
  readonly folder?: string;
}

/**
 * Returns the folder or repository that a text names. Throws a `CommandError` if it names none.
 *
 * @param text from a user, or from a note that another program may have written
 * @param ref a branch, a tag or a commit
 */
export function parseSource(text: string, ref: string | undefined, places: SourceBases): ExtensionSource {
  if (ref !== undefined && !isPlainRef(ref))
    throw new CommandError(t('{0} is not a branch, a tag or a commit.', shown(ref)));
  if (text.startsWith('-') || text.includes('\0') || hasInvisibleText(text) || /[\r\n]/.test(text))
    throw new CommandError(t('{0} is not a folder or an address. {1}', shown(text), howTo()));
  // Git would run a program of this name, whatever follows.
  if (/^[\w+.-]*::/.test(text))
    throw new CommandError(
      t('{0} would make Git run a program, so it is not fetched. {1}', shown(text), howTo()),
    );
  const [, scheme] = /^([a-z][\w+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined) return parseAddress(text, scheme.toLowerCase(), ref);
  if (/^[\w.][\w.-]*@[\w.][\w.-]*:(?!-)/.test(text)) return { kind: 'git', address: text, ref };
  return parseFolder(text, ref, places);
}

function howTo(): string {
  return t('Name a folder, or an address that begins with https://, ssh:// or file://.');
}

function parseAddress(text: string, scheme: string, ref: string | undefined): ExtensionSource {
  if (scheme !== 'https' && scheme !== 'ssh' && scheme !== 'file')
    throw new CommandError(
      t('{0} begins with {1}://, which is not supported. {2}', shown(text), scheme, howTo()),
    );
  if (!URL.canParse(text)) throw new CommandError(t('{0} is not an address. {1}', shown(text), howTo()));
  const { username, password, host } = new URL(text);
  // It would be stored in the note beside the extension, readable for every program.
  if (password !== '' || (scheme === 'https' && username !== ''))
    throw new CommandError(
      t('The address contains a name or a password. Remove them, and store them in Git’s credential helper.'),
    );
  if (/^(?:-|%2d)/i.test(username) || /^(?:-|%2d)/i.test(host) || (scheme !== 'file' && host === ''))
    throw new CommandError(t('{0} has no host name. {1}', shown(text), howTo()));
  return { kind: 'git', address: text, ref };
}

function parseFolder(text: string, ref: string | undefined, { home, folder }: SourceBases): ExtensionSource {
  if (home !== undefined && /^~(?:[\\/]|$)/.test(text))
    return { kind: 'folder', path: join(home, text.slice(1)), ref };
  if (isAbsolute(text)) return { kind: 'folder', path: resolve(text), ref };
  if (folder === undefined)
    throw new CommandError(t('No folder is open, so {0} cannot be found. Give its full path.', shown(text)));
  return { kind: 'folder', path: resolve(folder, text), ref };
}

function isPlainRef(ref: string): boolean {
  return /^[\w][\w./+@-]{0,199}$/.test(ref) && !ref.includes('..') && !ref.includes('@{');
}

function shown(text: string): string {
  return `“${oneLine(text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '�'), 120)}”`;
}
