/* Files and folders that a prompt names. */

import { basename } from 'node:path';
import { plural, t } from '../../../protocol/language.ts';
import type { Lines, NamedPath, PathReading } from './parseMentions.ts';
import type { FoundPlace, MentionSources, Piece, PlaceContent, Reading } from './sources.ts';

/** Limits for one folder: files that are listed, and files whose content is read. */
const maxListed = 2000;
const maxRead = 400;
/** Characters of one folder; what all mentions share is cut afterwards. */
const folderLimit = 200_000;

type Place = Extract<FoundPlace, { readonly path: string }>;

/** `undefined`: it leads to nothing, and is likely a name of something else. */
export async function readPath(
  sources: MentionSources,
  { readings, deliberate }: NamedPath,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly reading: Reading } | undefined> {
  let refusal: string | undefined;
  for (const asked of readings) {
    const found = await sources.files.find(asked.path);
    if (found.kind === 'refused') refusal = found.why;
    else if (found.kind !== 'nothing')
      return { text: asked.text, reading: await readPlace(sources, found, asked.lines, signal) };
  }
  const last = readings.at(-1)!;
  if (!deliberate) {
    // `@App.svelte`: a name with a dot may be one of a file, and is worth a search.
    if (!/\.\w*[A-Za-z]\w*$/.test(last.path) || refusal !== undefined) return undefined;
    const reading = await readByName(sources, last, signal);
    return reading.outcome === 'missing' ? undefined : { text: last.text, reading };
  }
  if (refusal !== undefined) {
    return { text: last.text, reading: { outcome: 'failed', kind: 'file', detail: refusal } };
  }
  return { text: last.text, reading: await readByName(sources, last, signal) };
}

export async function readAttached(
  sources: MentionSources,
  path: string,
  signal: AbortSignal,
): Promise<Reading> {
  const found = await sources.files.find(path);
  if (found.kind === 'refused') return { outcome: 'failed', kind: 'file', detail: found.why, path };
  if (found.kind === 'nothing')
    return { outcome: 'missing', kind: 'file', detail: t('File not found'), path };
  return await readPlace(sources, found, undefined, signal);
}

/** A user who names a file without its folders means the only one of this name. */
async function readByName(
  sources: MentionSources,
  asked: PathReading,
  signal: AbortSignal,
): Promise<Reading> {
  const missing = { outcome: 'missing', kind: 'file' } as const;
  const [only, ...others] = await sources.files.findByEnd(asked.path, signal);
  if (only === undefined) return { ...missing, detail: t('File or folder not found') };
  if (others.length > 0) {
    return { ...missing, detail: t('{0} files are named so; write more of the path', others.length + 1) };
  }
  const found = await sources.files.find(only);
  if (found.kind === 'nothing' || found.kind === 'refused')
    return { ...missing, detail: t('File not found') };
  return await readPlace(sources, found, asked.lines, signal);
}

async function readPlace(
  sources: MentionSources,
  place: Place,
  lines: Lines | undefined,
  signal: AbortSignal,
): Promise<Reading> {
  const { kind, shown: path, leftOutBy } = place;
  if (leftOutBy !== undefined)
    return { outcome: 'ignored', kind, detail: t('Excluded by {0}', leftOutBy), path };
  return kind === 'folder' ? readFolder(sources, place, signal) : readFile(sources, place, lines);
}

async function readFile(
  { files }: MentionSources,
  { path: real, shown: path }: Place,
  lines: Lines | undefined,
): Promise<Reading> {
  const content = await files.read(real, lines);
  if (content.kind === 'unread') return { outcome: 'failed', kind: 'file', detail: content.why, path };
  const piece = toPiece(path, content);
  if (content.kind === 'media')
    return { outcome: 'read', kind: 'file', detail: content.size, path, pieces: [piece] };
  const outcome = content.cut ? 'cut' : 'read';
  return { outcome, kind: 'file', detail: describeLines(content), path, pieces: [piece] };
}

function toPiece(shown: string, content: Exclude<PlaceContent, { readonly kind: 'unread' }>): Piece {
  if (content.kind === 'media') {
    const { blob, bytes, size } = content;
    return { kind: 'media', heading: `Content of ${nameOf(shown)} (${size})`, blob, bytes };
  }
  const { first, last, total, text, encoding } = content;
  const part = first > 1 || last < total ? ` (lines ${first}-${last} of ${total})` : '';
  const empty = total === 0 ? ' (empty)' : '';
  const read = encoding ? ` (encoding: ${encoding})` : '';
  return { kind: 'text', heading: `Content of ${nameOf(shown)}${part}${empty}${read}`, text, wrap: 'ticks' };
}

/** A name with line breaks must not pass for a line of its own. */
export function nameOf(shown: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(shown) ? JSON.stringify(shown) : shown;
}

function describeLines({ first, last, total }: Extract<PlaceContent, { readonly kind: 'text' }>): string {
  if (total === 0) return t('Empty');
  if (first === 1 && last >= total) return plural(total, 'one: {0} line | other: {0} lines');
  return first === last ? t('Line {0} of {1}', first, total) : t('Lines {0}-{1} of {2}', first, last, total);
}

async function readFolder(sources: MentionSources, place: Place, signal: AbortSignal): Promise<Reading> {
  const { files } = sources;
  const paths = await files.list(place.path, signal);
  const shown = await Promise.all(paths.slice(0, maxListed).map(path => files.show(path)));
  const name = nameOf(place.shown);
  const more = paths.length > shown.length ? `\n(${paths.length - shown.length} more)` : '';
  const listing: Piece = {
    kind: 'text',
    heading: `Files of the folder ${name}`,
    text: paths.length === 0 ? '(none)' : shown.map(nameOf).join('\n') + more,
    wrap: 'ticks',
  };
  const contents = await readContents(sources, paths, signal);
  const count = plural(paths.length, 'one: {0} file | other: {0} files');
  const all = contents.pieces.length === paths.length && !contents.cut;
  return {
    outcome: contents.cut ? 'cut' : 'read',
    kind: 'folder',
    detail: all ? count : t('{0} listed, {1} read', count, contents.pieces.length),
    path: place.shown,
    pieces: [listing, ...contents.pieces],
  };
}

/** Texts only: media of a folder would fill a request with what nobody asked to see. */
async function readContents(
  { files }: MentionSources,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly pieces: readonly Piece[]; readonly cut: boolean }> {
  const pieces: Piece[] = [];
  let length = 0;
  let cut = paths.length > maxRead;
  for (const path of paths.slice(0, maxRead)) {
    signal.throwIfAborted();
    if (mediaName.test(basename(path))) continue;
    const content = await files.read(path, undefined);
    if (content.kind !== 'text') continue;
    if (length + content.text.length > folderLimit) return { pieces, cut: true };
    length += content.text.length;
    cut ||= content.cut;
    pieces.push(toPiece(await files.show(path), content));
  }
  return { pieces, cut };
}

/** Not even opened; others are told by their content. */
const mediaName =
  /\.(png|jpe?g|gif|webp|bmp|ico|heic|pdf|mp[34]|wav|ogg|flac|m4a|aac|mov|webm|zip|gz|tgz|woff2?|ttf|wasm|exe|dll|so|dylib)$/i;
