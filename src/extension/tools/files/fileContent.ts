import type { Blob } from '../../../protocol/events.ts';
import { inEnglish } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import { ToolFailure } from '../../core/tool.ts';
import { FileError } from '../../platform/fileSystem.ts';
import type { FilePorts } from './editableFile.ts';
import { encodingRemark } from './encodingRemark.ts';
import { takeLines } from './lineExcerpt.ts';
import { findMediaType, mediaTypeByName, toBase64 } from './mediaType.ts';
import { readableText } from './readableText.ts';

/** One of several files, or why it is left out. */
type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly blob: Blob; readonly bytes: number }
  | { readonly kind: 'skipped'; readonly why: string };

interface ContentLimits {
  readonly characters: number;
  readonly mediaBytes: number;
  /** True if the file or its extension was requested; otherwise media are left out. */
  readonly isNamed: boolean;
}

const maxTextBytes = 2 * 1024 * 1024;

/** Never fails because of the file: an unreadable one must not affect the others. */
export async function readContent(
  ports: FilePorts,
  path: string,
  limits: ContentLimits,
): Promise<FileContent> {
  try {
    return await readWithin(ports, await ports.paths.resolve(path, 'read'), limits);
  } catch (error) {
    if (error instanceof ToolFailure) return skipped(inEnglish(error.summary));
    if (error instanceof FileError) return skipped(whyUnread[error.kind]);
    throw error;
  }
}

async function readWithin(
  { files, seen }: FilePorts,
  path: string,
  limits: ContentLimits,
): Promise<FileContent> {
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') return skipped('no file');
  if (mediaTypeByName(path)) {
    if (!limits.isNamed) return skipped('media, name it to read it');
    if (stat.size > limits.mediaBytes) return skipped(`media of ${formatBytes(stat.size)} are too much here`);
    const bytes = await files.readBytes(path);
    const mimeType = findMediaType(path, bytes);
    if (mimeType) return { kind: 'media', blob: { mimeType, data: toBase64(bytes) }, bytes: bytes.length };
  }
  if (stat.size > maxTextBytes) return skipped('larger than 2 MB, use read_file');
  const file = await files.readText(path);
  const { text } = file;
  seen?.note(path, text);
  const range = takeLines(readableText(path, text).shown, { maxLength: limits.characters });
  const isWhole = range.last >= range.total;
  const place = isWhole
    ? undefined
    : `[Lines 1-${range.last} of ${range.total}; use read_file for the rest.]`;
  const parts = [encodingRemark(file), place, range.text].filter(part => part !== undefined);
  return { kind: 'text', text: parts.join('\n') };
}

function skipped(why: string): FileContent {
  return { kind: 'skipped', why };
}

const whyUnread: Readonly<Record<FileError['kind'], string>> = {
  notFound: 'it is gone',
  isDirectory: 'a folder',
  notDirectory: 'it is gone',
  denied: 'access denied',
  notText: 'binary',
  unencodable: 'its encoding lacks a character',
  changed: 'it changed',
  unsaved: 'it was not saved',
  noSpace: 'no space left',
  other: 'it cannot be read',
};
