import { dirname } from 'node:path';
import scanGlob from 'picomatch/lib/scan.js';
import * as z from 'zod';
import type { Blob } from '../../protocol/events.ts';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { mediaLimitBytes } from '../../protocol/mediaLimit.ts';
import { type CallContext, defineReadTool, ToolFailure, type ToolResult } from '../core/tool.ts';
import { normaliseGlob } from '../platform/patterns/globPattern.ts';
import { type Search, SearchError } from '../platform/search.ts';
import { convertFileErrors } from './files/convertFileErrors.ts';
import type { FilePorts } from './files/editableFile.ts';
import { readContent } from './files/fileContent.ts';
import { formatListedName } from './files/formatListedName.ts';
import type { FolderPorts } from './files/ignoredFolders.ts';
import { type AgentIgnorePorts, findIgnoreFileHiding } from './files/ignoreFiles.ts';

export interface ReadManyFilesPorts extends FilePorts, AgentIgnorePorts, Pick<FolderPorts, 'ignoredFolders'> {
  readonly search: Pick<Search, 'findFiles'>;
}

const maxFiles = 100;

const input = lazySchema(() =>
  z.object({
    include: z.array(z.string().min(1)).min(1).max(maxFiles).describe('Paths, folders or globs'),
    exclude: z.array(z.string()).optional().describe('Globs to leave out'),
    recursive: z.boolean().optional().describe('false: nothing below a folder'),
    useDefaultExcludes: z.boolean().optional().describe('false: also dependencies and build output'),
    file_filtering_options: z.object({ respect_git_ignore: z.boolean().optional() }).optional(),
  }),
);

type Input = z.infer<ReturnType<typeof input>>;

/** Characters of all files together. */
const maxLength = 200_000;
const callIsFull = 'the limit of this call is reached';

const generatedFiles = [
  '**/*.min.js',
  '**/*.map',
  '**/package-lock.json',
  '**/yarn.lock',
  '**/pnpm-lock.yaml',
];

export function readManyFilesTool(ports: ReadManyFilesPorts) {
  return defineReadTool({
    name: 'read_many_files',
    description: 'Reads up to 100 files at once. Images, audio and PDF only when named by path or extension.',
    input,
    title: ({ include }) =>
      include.length > 3
        ? t('Read {0} and more', include.slice(0, 3).join(', '))
        : t('Read {0}', include.join(', ')),
    target: ({ include }) => ({ kind: 'paths', paths: include.map(baseOf), access: 'read' }),
    run: (asked, call) => convertFileErrors('A file', readMatching(ports, asked, call)),
  });
}

async function readMatching(ports: ReadManyFilesPorts, asked: Input, call: CallContext): Promise<ToolResult> {
  const { paths: found, closed: left } = await findMatching(ports, asked, call.signal);
  if (found.length === 0 && left.length === 0) {
    throw new ToolFailure(`No file matches ${asked.include.join(', ')}. Use glob to find paths.`, () =>
      t('No files'),
    );
  }
  const { blocks, blobs, skipped: unread } = await readAll(ports, found, asked.include, call.signal);
  const skipped = [...unread, ...left];
  const parts = skipped.length > 0 ? [...blocks, describeSkipped(skipped)] : blocks;
  const result: ToolResult = {
    text: parts.join('\n'),
    display: {
      summary: () => {
        const files = plural(blocks.length, 'one: {0} file | other: {0} files');
        return skipped.length > 0 ? t('{0}, {1} excluded', files, skipped.length) : files;
      },
    },
    bounded: true,
    folders: [...new Set(found.slice(0, maxFiles).map(path => dirname(path)))],
  };
  return blobs.length > 0 ? { ...result, blobs } : result;
}

/** Reads in order until a limit is reached. Lists the files left out with the reason. */
async function readAll(
  ports: FilePorts,
  found: readonly string[],
  include: readonly string[],
  signal: AbortSignal,
): Promise<{ blocks: readonly string[]; blobs: readonly Blob[]; skipped: readonly string[] }> {
  const blocks: string[] = [];
  const blobs: Blob[] = [];
  const skipped: string[] = [];
  let characters = maxLength;
  let mediaBytes = mediaLimitBytes;
  for (const path of found) {
    signal.throwIfAborted();
    const shown = await ports.paths.show(path);
    const content =
      blocks.length < maxFiles && characters > 0
        ? await readContent(ports, path, { characters, mediaBytes, isNamed: isNamed(shown, include) })
        : { kind: 'skipped' as const, why: callIsFull };
    if (content.kind === 'skipped') {
      skipped.push(`${formatListedName(shown)}: ${content.why}`);
      continue;
    }
    if (content.kind === 'media') {
      mediaBytes -= content.bytes;
      blobs.push(content.blob);
    }
    const text = content.kind === 'media' ? `(${content.blob.mimeType}, attached)` : content.text;
    characters -= text.length;
    blocks.push(`--- ${formatListedName(shown)} ---\n${text || '(empty)'}\n`);
  }
  return { blocks, blobs, skipped };
}

/** Returns whether the request names the file or its extension. */
function isNamed(shown: string, include: readonly string[]): boolean {
  const extension = shown.slice(shown.lastIndexOf('.')).toLowerCase();
  return include.some(entry => entry.toLowerCase().includes(extension));
}

function describeSkipped(skipped: readonly string[]): string {
  const more = skipped.length > 20 ? `\n… and ${skipped.length - 20} more` : '';
  const way = skipped.some(line => line.endsWith(callIsFull))
    ? '\nRead those by another call, or narrow this one with include and exclude.'
    : '';
  return `Not read:\n${skipped.slice(0, 20).join('\n')}${more}${way}`;
}

interface Matching {
  readonly paths: readonly string[];
  /**
   * Files that are not read, with the reason: protected ones found by a glob or folder, and those hidden from agents.
   */
  readonly closed: readonly string[];
}

/** Returns files in the order of `include`, and by name within one entry. */
async function findMatching(ports: ReadManyFilesPorts, asked: Input, signal: AbortSignal): Promise<Matching> {
  const { files, paths, search, ignoredFolders } = ports;
  const usual = [...['.git', ...ignoredFolders()].map(folder => `**/${folder}/**`), ...generatedFiles];
  const exclude = [...(asked.exclude ?? []), ...((asked.useDefaultExcludes ?? true) ? usual : [])];
  // Search globs start at the searched folder; the user's start at the workspace.
  const { default: picomatch } = await import('picomatch');
  const isUnwanted = picomatch((asked.exclude ?? []).map(normaliseGlob), { dot: true });
  const found = new Set<string>();
  const closed = new Set<string>();
  for (const entry of new Set(asked.include)) {
    const scan = scanOf(entry);
    const named = await paths.resolve(entry, 'read');
    // A name such as `[slug].tsx` also looks like a glob.
    const isNamed = (await files.stat(named))?.kind === 'file';
    const place = isNamed ? named : await paths.resolve(baseOf(entry), 'read');
    if (isNamed) {
      const rules = await findIgnoreFileHiding(ports, place, 'file');
      if (rules !== undefined)
        closed.add(`${await paths.show(place)}: ${await paths.show(rules)} leaves it out for agents`);
      // The policy checked the start folder of the glob, not this file.
      else if (scan.isGlob) await addUnprotected(place);
      else found.add(place);
      continue;
    }
    if ((await files.stat(place))?.kind !== 'directory') continue;
    const below = asked.recursive === false ? '*' : '**/*';
    const pattern = scan.isGlob ? flattened(scan.glob, asked.recursive) : below;
    const respectGitIgnore = asked.file_filtering_options?.respect_git_ignore ?? true;
    const query = { folder: place, pattern, exclude, respectGitIgnore };
    const matches = await search.findFiles(query, signal).catch(asToolFailure);
    for (const path of matches.paths.toSorted()) {
      if (!isUnwanted(await paths.show(path))) await addUnprotected(path);
    }
  }
  return { paths: [...found], closed: [...closed] };

  async function addUnprotected(path: string): Promise<void> {
    if (!(await paths.protectionOf(path, 'read'))) found.add(path);
    else closed.add(`${await paths.show(path)}: protected, name it alone to have the user asked`);
  }
}

/** Returns the path, or the folder that a glob starts from. The question mark in a Windows device path is no glob. */
function baseOf(entry: string): string {
  if (/^[\\/]{2}/.test(entry)) return entry;
  const scan = scanOf(entry);
  return scan.isGlob ? scan.base || '.' : entry;
}

function scanOf(entry: string): ReturnType<typeof scanGlob> {
  const scan = scanGlob(normaliseGlob(entry));
  return { ...scan, base: scan.base.replace(/\\([()|!])/g, '$1') };
}

function flattened(glob: string, recursive: boolean | undefined): string {
  return recursive === false ? glob.replaceAll('**/', '').replaceAll('**', '*') : glob;
}

function asToolFailure(error: unknown): never {
  throw error instanceof SearchError ? new ToolFailure(error.message, () => t('Wrong pattern')) : error;
}
