/*
 * Converts servers' content to text and media. The text is untrusted, and is fenced before a model sees it. Media keep
 * only a verified type, since a provider rejects a whole request for one invalid picture.
 */

import type { Blob } from '../../../protocol/events.ts';
import { mediaLimitBytes } from '../../../protocol/mediaLimit.ts';
import { detectMediaType } from '../../base/mediaSignature.ts';
import { isRecord } from '../../base/record.ts';
import { formatBytes, headOf, sanitiseLine } from '../../base/text.ts';

export interface ContentParts {
  readonly texts: string[];
  readonly blobs: Blob[];
  /**
   * Content that no model can read. `place` is the index of its text in `texts`, which may be changed to say where it
   * is saved.
   */
  readonly others: { readonly place: number; readonly label: string; readonly base64: string }[];
}

export function emptyParts(): ContentParts {
  return { texts: [], blobs: [], others: [] };
}

/** Adds one block of the protocol. Unknown blocks are shown as received. */
export function addBlock(parts: ContentParts, block: unknown): void {
  if (typeof block === 'string') parts.texts.push(block);
  if (!isRecord(block)) return;
  const { type } = block;
  if (type === 'text' && typeof block.text === 'string') parts.texts.push(block.text);
  else if (type === 'image' || type === 'audio') addMedia(parts, String(type), block.mimeType, block.data);
  else if (type === 'resource_link') parts.texts.push(describeLink(block));
  else if (type === 'resource') addResource(parts, block.resource);
  else parts.texts.push(`[Content of an unknown kind: ${headOf(JSON.stringify(block), maxUnknownLength)}]`);
}

const maxUnknownLength = 2_000;

export function addResource(parts: ContentParts, resource: unknown): void {
  if (!isRecord(resource)) return;
  const { uri, mimeType, text, blob } = resource;
  const label = `Resource ${line(uri)}${typeof mimeType === 'string' ? ` (${line(mimeType)})` : ''}`;
  if (typeof text === 'string') parts.texts.push(`${label}:\n${text}`);
  else addMedia(parts, label, mimeType, blob);
}

function addMedia(parts: ContentParts, label: string, mimeType: unknown, data: unknown): void {
  if (typeof data !== 'string' || data === '') {
    parts.texts.push(`[${label}: empty]`);
    return;
  }
  const bytes = Buffer.from(data, 'base64');
  const size = formatBytes(bytes.length);
  const sent = parts.blobs.reduce((sum, blob) => sum + blob.data.length, 0) * 0.75;
  const type = mediaType(bytes, typeof mimeType === 'string' ? mimeType.toLowerCase() : '');
  const isTooMuch = sent + bytes.length > mediaLimitBytes;
  if (type !== undefined && !isTooMuch) {
    parts.texts.push(`[${label}: ${type}, ${size}, attached]`);
    // Encoded again, so that it contains only valid Base64.
    parts.blobs.push({ mimeType: type, data: bytes.toString('base64') });
    return;
  }
  const why = isTooMuch
    ? 'too large to be attached'
    : `${line(mimeType ?? 'of no known type')}, not attached`;
  const whole = `${label}: ${size}, ${why}`;
  parts.others.push({ place: parts.texts.length, label: whole, base64: data });
  parts.texts.push(`[${whole}]`);
}

/** Detects pictures and documents by their first bytes. For recordings, trusts the server. */
function mediaType(bytes: Buffer, claimed: string): string | undefined {
  const signed = detectMediaType(bytes);
  if (signed !== undefined && !signed.startsWith('audio/')) return signed;
  return /^audio\/(x-)?(wav|mpeg|mp3|ogg|flac|aac|mp4|aiff)$/.test(claimed) ? claimed : undefined;
}

function describeLink({
  uri,
  name,
  title,
  description,
  mimeType,
}: Readonly<Record<string, unknown>>): string {
  const about = [title ?? name, description, mimeType].filter(each => typeof each === 'string').map(line);
  return `[Link to the resource ${line(uri)}${about.length > 0 ? `: ${about.join(', ')}` : ''}]`;
}

function line(value: unknown): string {
  return sanitiseLine(String(value), 500);
}
