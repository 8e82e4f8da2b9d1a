/* A file that a page offers to the user: inline content, or a link to a resource of its own server. */

import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { headOf, sanitiseLine } from '../../base/text.ts';
import type { ManagedServer } from '../managedServer.ts';

export interface DownloadFile {
  /** File name without a folder, whatever the page sent. The user chooses the folder. */
  readonly name: string;
  /** As the page declares it. Empty if it does not. */
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

const maxFiles = 4;
const maxBytes = 20_000_000;
const nameLength = 100;

/** Yields the entries of `contents`. Throws a user-facing message for an entry that is no file. */
export function parseDownloadEntries(contents: unknown): readonly Readonly<Record<string, unknown>>[] {
  const files = Array.isArray(contents) ? contents.filter(isRecord) : [];
  if (files.length === 0 || files.length > maxFiles)
    throw new LocalizedError(() => t('A page may offer 1 to {0} files.', maxFiles));
  return files;
}

/** Follows links only to the page's own server. Rejects with a user-facing message. */
export async function readDownloadFile(
  entry: Readonly<Record<string, unknown>>,
  server: ManagedServer,
  signal: AbortSignal,
): Promise<DownloadFile> {
  const given = isRecord(entry.resource) ? entry.resource : entry;
  const { uri, mimeType } = given;
  if (typeof uri !== 'string') throw new LocalizedError(() => t('There is no address.'));
  const resource = entry.type === 'resource_link' ? await linked(uri, server, signal) : given;
  const bytes = bytesOf(resource);
  if (!bytes) throw new LocalizedError(() => t('The page offers no file.'));
  if (bytes.length > maxBytes) throw new LocalizedError(() => t('The file is larger than 20 MB.'));
  const type = typeof mimeType === 'string' ? mimeType : resource.mimeType;
  const named = typeof entry.name === 'string' && entry.type === 'resource_link' ? entry.name : lastPart(uri);
  return { name: fileName(named), mimeType: sanitiseLine(typeof type === 'string' ? type : '', 100), bytes };
}

async function linked(uri: string, server: ManagedServer, signal: AbortSignal) {
  if (/^https?:/i.test(uri))
    throw new LocalizedError(() => t('Only files of its server are saved for a page.'));
  const { contents } = await server.request('resources/read', { uri }, signal);
  const [first] = (Array.isArray(contents) ? contents : [contents]).filter(isRecord);
  if (!first) throw new LocalizedError(() => t('The page offers no file.'));
  return first;
}

function bytesOf({ text, blob }: Readonly<Record<string, unknown>>): Uint8Array | undefined {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  return typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
}

function lastPart(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1);
  const last = path.split(/[/\\]/).at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    // A literal percent sign.
    return last;
  }
}

/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function fileName(named: string): string {
  const last = sanitiseLine(named, 1_000).split(/[/\\]/).at(-1) ?? '';
  // Some characters are invalid in file names, a leading dot hides a file, and Windows drops trailing dots.
  const name = last.replace(/[<>:"|?*~$%]/g, '').replace(/^[.\s-]+|[.\s]+$/g, '');
  if (name === '' || device.test(name)) return 'download';
  const [, extension = ''] = /(\.[\w]{1,10})$/.exec(name) ?? [];
  return name.length > nameLength ? headOf(name, nameLength - extension.length) + extension : name;
}
