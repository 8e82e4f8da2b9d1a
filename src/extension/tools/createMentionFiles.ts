/* Resolves `@` mentions in the workspace, with the same path checks, limits and ignore files as the tools. */

import { basename, relative, sep } from 'node:path';
import { plural, t } from '../../protocol/language.ts';
import { mediaLimitBytes, mediaLimitMb } from '../../protocol/mediaLimit.ts';
import { formatBytes } from '../base/text.ts';
import type { MentionLines } from '../core/mentions/parseMentions.ts';
import type { FoundPath, MentionFiles, PathContent } from '../core/mentions/sources.ts';
import type { WorkspacePaths } from '../core/paths.ts';
import { ToolFailure } from '../core/tool.ts';
import { FileError, type FileSystem } from '../platform/fileSystem.ts';
import type { Search } from '../platform/search.ts';
import { describeEncoding } from './files/encodingRemark.ts';
import { workspaceRootOf } from './files/ignoreFiles.ts';
import { takeLines } from './files/lineExcerpt.ts';
import { findMediaType, mediaTypeByName, toBase64 } from './files/mediaType.ts';
import type { SeenFiles } from './files/seenFiles.ts';

interface NamedFilesPorts {
  readonly files: FileSystem;
  readonly search: Search;
  readonly paths: WorkspacePaths;
  /** Records what is read here as seen by the model. */
  readonly seen?: SeenFiles;
}

const maxTextBytes = 20 * 1024 * 1024;
const maxLines = 2000;

export function createMentionFiles({ files, search, paths, seen }: NamedFilesPorts): MentionFiles {
  return {
    find: (path: string) => find({ files, search, paths }, path),
    findByEnd: (path: string, signal: AbortSignal) => findByEnd(search, paths, path, signal),
    read: (path: string, lines: MentionLines | undefined) => read(files, path, lines, seen),
    list: async (folder: string, signal: AbortSignal) => {
      const { paths: all } = await search.findFiles({ folder, pattern: '**/*' }, signal);
      const found = await paths.unprotected(all);
      const depth = (path: string) => relative(folder, path).split(sep).length;
      return [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
    },
    show: (path: string) => paths.show(path),
  };
}

async function find(ports: NamedFilesPorts, asked: string): Promise<FoundPath> {
  const { files, paths } = ports;
  try {
    const place = await paths.locate(asked, 'read');
    if (place.kind === 'refused') return { kind: 'refused', why: place.summary() };
    const { path, protection } = place;
    const stat = await files.stat(path);
    if (!stat) return { kind: 'nothing' };
    if (stat.kind === 'other') return { kind: 'refused', why: t('Not a regular file') };
    const kind = stat.kind === 'directory' ? 'folder' : 'file';
    const leftOutBy = protection
      ? t('Folio, because it is protected')
      : await whoLeavesOut(ports, path, kind);
    return { kind, path, shown: await paths.show(path), leftOutBy };
  } catch (error) {
    if (error instanceof ToolFailure) return { kind: 'refused', why: error.summary() };
    if (error instanceof FileError)
      return isAbsence(error) ? { kind: 'nothing' } : { kind: 'refused', why: whyUnread(error.kind) };
    throw error;
  }
}

function isAbsence({ kind }: FileError): boolean {
  return kind === 'notFound' || kind === 'notDirectory';
}

async function whoLeavesOut(
  { search, paths }: NamedFilesPorts,
  path: string,
  kind: 'file' | 'folder',
): Promise<string | undefined> {
  if ((await paths.show(path)).split(/[\\/]/).includes('.git')) return t('Git, because it is in .git');
  const root = await workspaceRootOf(paths, path);
  if (root === undefined || root === path) return undefined;
  const file = (await search.readIgnoreRules(root)).findIgnoring(path, kind);
  // Files elsewhere are identified by their path.
  return file && (basename(file).startsWith('.') ? basename(file) : await paths.show(file));
}

async function findByEnd(
  search: Search,
  paths: WorkspacePaths,
  asked: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const end = asked
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (end === '' || end.split('/').includes('..')) return [];
  const pattern = `**/${end.replace(/[*?[\]{}()!+@|\\]/g, '\\$&')}`;
  const found = await Promise.all(paths.all.map(folder => search.findFiles({ folder, pattern }, signal)));
  const all = found.flatMap(({ paths }) => paths);
  // If names differ only in case, the exact one wins.
  const exact = all.filter(path => basename(path) === basename(end));
  return exact.length > 0 ? exact : all;
}

async function read(
  files: FileSystem,
  path: string,
  lines: MentionLines | undefined,
  seen: SeenFiles | undefined,
): Promise<PathContent> {
  try {
    const stat = await files.stat(path);
    if (stat?.kind !== 'file') return unread(t('No longer a file'));
    if (stat.size > maxTextBytes)
      return unread(t('{0} is too large; the limit is 20 MB', formatBytes(stat.size)));
    if (mediaTypeByName(path)) {
      const media = await readMedia(files, path);
      if (media) return media;
    }
    const file = await files.readText(path);
    seen?.note(path, file.text);
    const content = takeText(file.text, lines);
    return content.kind === 'text' ? { ...content, encoding: describeEncoding(file) } : content;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.kind !== 'notText') return unread(whyUnread(error.kind));
    return (await readMedia(files, path)) ?? unread(t('Binary, so there is no text to read'));
  }
}

function takeText(text: string, lines: MentionLines | undefined): PathContent {
  const end = lines && Math.min(lines.last, lines.first + maxLines - 1);
  const range = takeLines(text, { start: lines?.first, end });
  const { first, last, total, cutLines } = range;
  if (lines && first > total)
    return unread(plural(total, 'one: It has only {0} line | other: It has only {0} lines'));
  const cut = last < Math.min(total, lines?.last ?? total) || cutLines > 0;
  return { kind: 'text', text: range.text, first, last, total, cut };
}

async function readMedia(files: FileSystem, path: string): Promise<PathContent | undefined> {
  const bytes = await files.readBytes(path);
  const mimeType = findMediaType(path, bytes);
  if (!mimeType) return undefined;
  const size = formatBytes(bytes.length);
  if (bytes.length > mediaLimitBytes)
    return unread(t('{0} is too large; the limit is {1} MB', size, mediaLimitMb));
  return {
    kind: 'media',
    blob: { mimeType, data: toBase64(bytes) },
    bytes: bytes.length,
    size: `${mimeType}, ${size}`,
  };
}

function unread(why: string): PathContent {
  return { kind: 'unread', why };
}

function whyUnread(kind: FileError['kind']): string {
  switch (kind) {
    case 'notFound':
    case 'notDirectory':
      return t('Not found');
    case 'isDirectory':
      return t('It is a folder');
    case 'denied':
      return t('The system denies access');
    case 'notText':
      return t('Binary, so there is no text to read');
    case 'changed':
      return t('Changed in the meantime');
    case 'unsaved':
      return t('It was not saved');
    case 'noSpace':
      return t('No space is left');
    case 'unencodable':
    case 'other':
      return t('It cannot be read');
  }
}
