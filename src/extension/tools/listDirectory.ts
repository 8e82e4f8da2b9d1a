import { join } from 'node:path';
import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { formatQuantity } from '../base/text.ts';
import { defineReadTool, ToolFailure, type ToolResult } from '../core/tool.ts';
import type { DirectoryEntry } from '../platform/fileSystem.ts';
import { normaliseGlob } from '../platform/patterns/globPattern.ts';
import type { Search } from '../platform/search.ts';
import { convertFileErrors } from './files/convertFileErrors.ts';
import { describeMissingFile } from './files/describeMissingFile.ts';
import type { FilePorts } from './files/editableFile.ts';
import { formatListedName } from './files/formatListedName.ts';
import { type FolderPorts, formatFolderNames, readExcludedFolderNames } from './files/ignoredFolders.ts';
import { shortPath } from './files/shortPath.ts';

const input = lazySchema(() =>
  z.object({
    dir_path: z.string().describe('Folder to list'),
    ignore: z.array(z.string()).optional().describe('Globs of names to leave out'),
    file_filtering_options: z
      .object({ respect_git_ignore: z.boolean().optional(), respect_gemini_ignore: z.boolean().optional() })
      .optional()
      .describe('Set to false to see ignored entries'),
  }),
);

type Input = z.infer<ReturnType<typeof input>>;

const maxEntries = 1000;

export type ListPorts = FilePorts & FolderPorts & { readonly search: Pick<Search, 'readIgnoreRules'> };

export function listDirectoryTool(ports: ListPorts) {
  return defineReadTool({
    name: 'list_directory',
    description:
      'Lists the entries of one folder, folders first, with file sizes. Not recursive: use glob for that.',
    input,
    title: ({ dir_path }) => t('List {0}', shortPath(dir_path)),
    target: ({ dir_path }) => ({ kind: 'paths', paths: [dir_path], access: 'read' }),
    run: (asked, call) => convertFileErrors(asked.dir_path, list(ports, asked, call.signal)),
  });
}

async function list(ports: ListPorts, asked: Input, signal: AbortSignal): Promise<ToolResult> {
  const folder = await ports.paths.resolve(asked.dir_path, 'read');
  const stat = await ports.files.stat(folder);
  if (!stat) throw await describeMissingFile(ports, folder);
  if (stat.kind !== 'directory') {
    throw new ToolFailure(`${asked.dir_path} is a file. Use read_file to see it.`, () => t('Not a folder'));
  }
  const { kept, ignored, filled } = await sortEntries(ports, folder, asked);
  signal.throwIfAborted();
  const shown = kept.slice(0, maxEntries);
  const lines = await Promise.all(shown.map(entry => describeEntry(ports, folder, entry)));
  const where = await ports.paths.show(folder);
  if (lines.length === 0) lines.push('(no entries)');
  if (kept.length > shown.length)
    lines.push(`(${kept.length - shown.length} more not shown; narrow it with glob)`);
  if (ignored.size > 0) lines.push(`(${ignored.size} ignored)`);
  if (filled.length > 0)
    lines.push(`(${formatFolderNames(filled.map(({ name }) => `${name}/`))} left out; list by its own path)`);
  const hidden = ignored.size + filled.length;
  return {
    text: [`Entries of ${where}:`, ...lines].join('\n'),
    display: {
      summary: () => {
        const entries = plural(kept.length, 'one: {0} entry | other: {0} entries');
        return hidden > 0 ? t('{0}, {1} ignored', entries, hidden) : entries;
      },
    },
    bounded: true,
    folders: [folder],
  };
}

/** Lists the entries of a folder that no ignore file excludes, folders first. Rejects with a `FileError`. */
export async function listVisibleEntries(
  ports: ListPorts,
  folder: string,
): Promise<readonly DirectoryEntry[]> {
  return (await sortEntries(ports, folder, {})).kept;
}

/** Groups the entries: visible, excluded by ignore files, and excluded as generated folders. */
async function sortEntries(ports: ListPorts, folder: string, asked: Omit<Input, 'dir_path'>) {
  const all = await ports.files.list(folder);
  const ignored = await ignoredNames(ports, folder, all, asked);
  const isAllAsked = asked.file_filtering_options?.respect_git_ignore === false;
  const names = isAllAsked ? new Set<string>() : await readExcludedFolderNames(ports, folder);
  const meant = all.filter(entry => !ignored.has(entry.name));
  const filled = meant.filter(({ kind, name }) => kind === 'directory' && names.has(name));
  const kept = meant.filter(entry => !filled.includes(entry)).sort(foldersFirst);
  return { kept, ignored, filled };
}

async function ignoredNames(
  { search }: ListPorts,
  folder: string,
  entries: readonly DirectoryEntry[],
  asked: Omit<Input, 'dir_path'>,
): Promise<ReadonlySet<string>> {
  const { respect_git_ignore = true, respect_gemini_ignore = true } = asked.file_filtering_options ?? {};
  const choice = { git: respect_git_ignore, gemini: respect_gemini_ignore };
  const rules =
    respect_git_ignore || respect_gemini_ignore ? await search.readIgnoreRules(folder, choice) : undefined;
  const unwanted = await matcherOf(asked.ignore);
  const isIgnored = ({ name, kind }: DirectoryEntry) =>
    unwanted(name) ||
    (respect_git_ignore && name === '.git') ||
    rules?.findIgnoring(join(folder, name), kind === 'directory' ? 'folder' : 'file') !== undefined;
  return new Set(entries.filter(isIgnored).map(entry => entry.name));
}

async function matcherOf(globs: readonly string[] = []): Promise<(name: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import('picomatch');
  return picomatch(globs.map(normaliseGlob), { dot: true });
}

function foldersFirst(a: DirectoryEntry, b: DirectoryEntry): number {
  const rank = (entry: DirectoryEntry) => (entry.kind === 'directory' ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

async function describeEntry({ files }: FilePorts, folder: string, entry: DirectoryEntry): Promise<string> {
  const name = formatListedName(entry.name);
  if (entry.kind === 'directory') return `${name}/`;
  if (entry.kind === 'other') return `${name} (not a file)`;
  const stat = await files.stat(join(folder, entry.name));
  return stat ? `${name} (${formatQuantity(stat.size, 'byte')})` : name;
}
