import { basename } from 'node:path';
import { t } from '../../../protocol/language.ts';
import type { CompletionChoice, CompletionList } from '../../../protocol/mentions.ts';
import { withFolderName } from '../../../protocol/words/folderNames.ts';
import type { Editor } from '../../platform/editor.ts';
import type { DirectoryEntry, FileSystem } from '../../platform/fileSystem.ts';
import type { Workbench } from '../../platform/workbench.ts';
import { formatPathIn } from '../folderPaths.ts';
import { completeResources, type ScoredChoice } from './completeResource.ts';
import type { FileIndex, FileList } from './fileIndex.ts';
import { formatMention } from './formatMention.ts';
import type { ServerResources } from './resources.ts';
import type { MentionFiles } from './sources.ts';

interface CompletionPorts {
  readonly folders: () => readonly string[];
  readonly index: Pick<FileIndex, 'read' | 'show'>;
  readonly editor: Editor;
  readonly workbench: Workbench;
  readonly disk: Pick<FileSystem, 'list'>;
  readonly files: () => Pick<MentionFiles, 'find'>;
  /** Absent: no servers run. */
  readonly servers?: () => ServerResources | undefined;
}

const maxChoices = 50;
const maxIgnored = 10;
/** Resources listed after files before anything is typed. */
const maxNearResources = 10;

/** Extra ranking points for files that the user has open, similar to those for the start of a word. */
const boosts = { active: 14, open: 12, edited: 10 } as const;

/** @param typed text after the `@`; rejects with the signal's reason on abort */
export async function completeMention(
  ports: CompletionPorts,
  typed: string,
  signal: AbortSignal,
): Promise<CompletionList> {
  const query = typed.replace(/^"/, '');
  const symbol = /^(?:symbol:|#)(.*)$/.exec(query)?.[1];
  if (symbol !== undefined) return completeSymbol(ports, symbol, signal);
  const resources = completeResources(ports.servers?.(), query, maxChoices);
  if (/^https?:/i.test(query) || /:\d[\d:-]*$/.test(query)) {
    return { choices: resources.map(({ choice }) => choice), limited: resources.length === maxChoices };
  }
  const list = await ports.index.read();
  // Each letter starts a new request, and only the latest is worth ranking.
  signal.throwIfAborted();
  const sources = typed.startsWith('"') ? [] : fixedChoices(query);
  const found = query === '' ? nearest(ports, list, resources) : ranked(ports, list, { query, resources });
  const ignored = await findIgnored(ports, list, query);
  signal.throwIfAborted();
  return { choices: [...sources, ...found.choices, ...ignored], limited: found.limited };
}

const fixed = [
  { kind: 'problems', say: () => t('Errors and warnings') },
  { kind: 'terminal', say: () => t('Last terminal command and its output') },
  { kind: 'diff', say: () => t('Changes since the last commit') },
] as const;

function fixedChoices(query: string): readonly CompletionChoice[] {
  const lower = query.toLowerCase();
  const sources = fixed
    .filter(({ kind }) => kind.startsWith(lower))
    .map(({ kind, say }): CompletionChoice => ({ kind, label: kind, insert: `@${kind} `, detail: say() }));
  if (!'symbol:'.startsWith(lower)) return sources;
  return [
    ...sources,
    { kind: 'symbol', label: 'symbol:', insert: '@symbol:', detail: t('A class, function or other symbol') },
  ];
}

async function completeSymbol(
  { workbench, folders }: CompletionPorts,
  name: string,
  signal: AbortSignal,
): Promise<CompletionList> {
  const found = (await workbench.findSymbols(name, signal)) ?? [];
  const byInsert = new Map<string, CompletionChoice>();
  for (const { name, kind, path } of found) {
    const insert = `@symbol:${name} `;
    const detail = t('{0} in {1}', kind, withFolderName(formatPathIn(folders()[0], path), folders()));
    if (/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(name) && !byInsert.has(insert)) {
      byInsert.set(insert, { kind: 'symbol', label: name, insert, detail });
    }
  }
  const choices = [...byInsert.values()];
  return { choices: choices.slice(0, maxChoices), limited: choices.length > maxChoices };
}

/** Before anything is typed: open and edited files, then the top level of the workspace. */
function nearest(ports: CompletionPorts, list: FileList, resources: readonly ScoredChoice[]): CompletionList {
  const near = [...nearFiles(ports).keys()].filter(path => list.paths.has(path));
  const top = list.entries
    .filter(({ depth }) => depth === 0)
    .map(({ path }) => path)
    .sort((a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || (a < b ? -1 : 1));
  const paths = [...new Set([...near, ...top])];
  return {
    choices: [
      ...paths.slice(0, maxChoices).map(toChoice),
      ...resources.slice(0, maxNearResources).map(({ choice }) => choice),
    ],
    limited: list.limited || list.entries.length > maxChoices || resources.length > maxNearResources,
  };
}

/** Merges files and resources by score; for equal scores the file comes first. */
function ranked(
  ports: CompletionPorts,
  list: FileList,
  { query, resources }: { readonly query: string; readonly resources: readonly ScoredChoice[] },
): CompletionList {
  const { best, scores, fitting } = list.ranking.rank(query, {
    limit: maxChoices,
    boost: nearFiles(ports),
  });
  const files = best.map(({ path }, at): ScoredChoice => ({ choice: toChoice(path), score: scores[at]! }));
  const all = [...files, ...resources].sort((a, b) => b.score - a.score);
  return {
    choices: all.slice(0, maxChoices).map(({ choice }) => choice),
    limited: list.limited || fitting > best.length || all.length > maxChoices,
  };
}

/** Points by displayed path. */
function nearFiles({ editor, index }: CompletionPorts): ReadonlyMap<string, number> {
  const { active, open, edited = [] } = editor.readContext();
  const near = new Map<string, number>();
  const add = (path: string, points: number) => {
    const shown = index.show(path);
    if (!near.has(shown)) near.set(shown, points);
  };
  if (active) add(active.path, boosts.active);
  for (const path of open) add(path, boosts.open);
  for (const path of edited) add(path, boosts.edited);
  return near;
}

function toChoice(path: string): CompletionChoice {
  const isFolder = path.endsWith('/');
  const bare = isFolder ? path.slice(0, -1) : path;
  const name = basename(bare) + (isFolder ? '/' : '');
  const folder = bare.slice(0, Math.max(0, bare.lastIndexOf('/')));
  // The user may continue a path after a folder, but not after a file.
  const insert = formatMention(path) + (isFolder ? '' : ' ');
  const kind = isFolder ? 'folder' : 'file';
  return folder === '' ? { kind, label: name, insert } : { kind, label: name, insert, detail: folder };
}

/** Finds an ignored file by its exact path prefix and marks that it would not be read. */
async function findIgnored(
  { folders, disk, files }: CompletionPorts,
  list: FileList,
  query: string,
): Promise<readonly CompletionChoice[]> {
  const [base] = folders();
  const path = query.replaceAll('\\', '/');
  if (base === undefined || path.length < 2 || /(^|\/)\.\.?(\/|$)|^[/~]/.test(path)) return [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const start = path.slice(folder.length);
  if (start === '' && list.paths.has(folder)) return [];
  const place = folder === '' ? undefined : await files().find(folder);
  if (place && place.kind !== 'folder') return [];
  const listed = place?.path ?? base;
  const choices: CompletionChoice[] = [];
  for (const { name, kind } of await listOrNothing(disk, listed)) {
    const shown = `${folder}${name}${kind === 'directory' ? '/' : ''}`;
    if (!name.startsWith(start) || kind === 'other' || list.paths.has(shown)) continue;
    const found = await files().find(shown);
    if (!('leftOutBy' in found) || found.leftOutBy === undefined) continue;
    choices.push({ ...toChoice(shown), ignored: true });
    if (choices.length === maxIgnored) break;
  }
  return choices;
}

async function listOrNothing(
  disk: Pick<FileSystem, 'list'>,
  folder: string,
): Promise<readonly DirectoryEntry[]> {
  try {
    return await disk.list(folder);
  } catch {
    // Partial paths that do not exist have no completions.
    return [];
  }
}
