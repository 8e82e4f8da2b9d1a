import { basename } from 'node:path';
import { plural, t } from '../../../protocol/language.ts';
import type { MentionLines, PathCandidate, PathMention } from './parseMentions.ts';
import type { ContentPiece, FoundPath, MentionContent, MentionSources, PathContent } from './sources.ts';

/** Limits per folder: files that are listed, and files that are read. */
const maxListed = 2000;
const maxRead = 400;
/** Characters per folder; the limit for all mentions is applied later. */
const folderLimit = 200_000;

type Place = Extract<FoundPath, { readonly path: string }>;

/** Returns `undefined` if it does not exist and is probably another name. */
export async function readPath(
  sources: MentionSources,
  { readings, deliberate }: PathMention,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly reading: MentionContent } | undefined> {
  let refusal: string | undefined;
  for (const asked of readings) {
    const found = await sources.files.find(asked.path);
    if (found.kind === 'refused') refusal = found.why;
    else if (found.kind !== 'nothing')
      return { text: asked.text, reading: await readPlace(sources, found, asked.lines, signal) };
  }
  const last = readings.at(-1)!;
  if (!deliberate) {
    // A name with a dot, such as `@App.svelte`, may be a file, so search for it.
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
): Promise<MentionContent> {
  const found = await sources.files.find(path);
  if (found.kind === 'refused') return { outcome: 'failed', kind: 'file', detail: found.why, path };
  if (found.kind === 'nothing')
    return { outcome: 'missing', kind: 'file', detail: t('File not found'), path };
  return await readPlace(sources, found, undefined, signal);
}

/** A file name without folders means the only file of this name. */
async function readByName(
  sources: MentionSources,
  asked: PathCandidate,
  signal: AbortSignal,
): Promise<MentionContent> {
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
  lines: MentionLines | undefined,
  signal: AbortSignal,
): Promise<MentionContent> {
  const { kind, shown: path, leftOutBy } = place;
  if (leftOutBy !== undefined)
    return { outcome: 'ignored', kind, detail: t('Excluded by {0}', leftOutBy), path };
  return kind === 'folder' ? readFolder(sources, place, signal) : readFile(sources, place, lines);
}

async function readFile(
  { files }: MentionSources,
  { path: real, shown: path }: Place,
  lines: MentionLines | undefined,
): Promise<MentionContent> {
  const content = await files.read(real, lines);
  if (content.kind === 'unread') return { outcome: 'failed', kind: 'file', detail: content.why, path };
  const piece = toPiece(path, content);
  if (content.kind === 'media')
    return { outcome: 'read', kind: 'file', detail: content.size, path, pieces: [piece] };
  const outcome = content.cut ? 'cut' : 'read';
  return { outcome, kind: 'file', detail: describeLines(content), path, pieces: [piece] };
}

function toPiece(shown: string, content: Exclude<PathContent, { readonly kind: 'unread' }>): ContentPiece {
  if (content.kind === 'media') {
    const { blob, bytes, size } = content;
    return { kind: 'media', heading: `Content of ${quoteUnusualName(shown)} (${size})`, blob, bytes };
  }
  const { first, last, total, text, encoding } = content;
  const part = first > 1 || last < total ? ` (lines ${first}-${last} of ${total})` : '';
  const empty = total === 0 ? ' (empty)' : '';
  const read = encoding ? ` (encoding: ${encoding})` : '';
  return {
    kind: 'text',
    heading: `Content of ${quoteUnusualName(shown)}${part}${empty}${read}`,
    text,
    wrap: 'ticks',
  };
}

/** Quotes names with line breaks, which could imitate other lines. */
export function quoteUnusualName(shown: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(shown) ? JSON.stringify(shown) : shown;
}

function describeLines({ first, last, total }: Extract<PathContent, { readonly kind: 'text' }>): string {
  if (total === 0) return t('Empty');
  if (first === 1 && last >= total) return plural(total, 'one: {0} line | other: {0} lines');
  return first === last ? t('Line {0} of {1}', first, total) : t('Lines {0}-{1} of {2}', first, last, total);
}

async function readFolder(
  sources: MentionSources,
  place: Place,
  signal: AbortSignal,
): Promise<MentionContent> {
  const { files } = sources;
  const paths = await files.list(place.path, signal);
  const shown = await Promise.all(paths.slice(0, maxListed).map(path => files.show(path)));
  const name = quoteUnusualName(place.shown);
  const more = paths.length > shown.length ? `\n(${paths.length - shown.length} more)` : '';
  const listing: ContentPiece = {
    kind: 'text',
    heading: `Files of the folder ${name}`,
    text: paths.length === 0 ? '(none)' : shown.map(quoteUnusualName).join('\n') + more,
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

/** Reads only text: media of a whole folder would fill the request. */
async function readContents(
  { files }: MentionSources,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly pieces: readonly ContentPiece[]; readonly cut: boolean }> {
  const pieces: ContentPiece[] = [];
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

/** Media are not opened. Other files are recognised by their content. */
const mediaName =
  /\.(png|jpe?g|gif|webp|bmp|ico|heic|pdf|mp[34]|wav|ogg|flac|m4a|aac|mov|webm|zip|gz|tgz|woff2?|ttf|wasm|exe|dll|so|dylib)$/i;
