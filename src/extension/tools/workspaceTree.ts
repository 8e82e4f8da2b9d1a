/*
 * The content of the workspace, sent with the first message of a session to save a step:
 *
 *     <workspace>
 *     (The upper levels, without what ignore files and settings leave out. Context, not a request.)
 *     src/
 *       billing/
 *         … 12 more
 *     package.json
 *     </workspace>
 *
 * Expands folders level by level while their entries fit. Hidden folders, which belong to tools, are only named. File
 * names are untrusted: odd ones are quoted, and none can close the block.
 */

import { join } from 'node:path';
import { defuseTags } from '../base/untrusted.ts';
import { FileError } from '../platform/fileSystem.ts';
import { formatListedName } from './files/formatListedName.ts';
import { type ListPorts, listVisibleEntries } from './listDirectory.ts';

/** Bytes of the whole text. */
const maxBytes = 1500;
/** Entries shown per folder; workspace folders may have more. */
const maxEntries = 12;
/** Maximal number of folders to read, which bounds the time for deep trees. */
const maxFolders = 40;

interface Folder {
  readonly path: string;
  readonly depth: number;
  lines: Line[];
}

type Line = { readonly text: string; readonly folder?: Folder };

/** Describes the workspace to a session once, and again when the history no longer holds it. */
export class WorkspaceTree {
  private readonly ports: ListPorts;
  private readonly isOff: () => boolean;
  private isReported = false;

  constructor(ports: ListPorts, isOff: () => boolean) {
    this.ports = ports;
    this.isOff = isOff;
  }

  /** Returns `undefined` if there is nothing new. The returned text counts as sent. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (this.isReported) return undefined;
    this.isReported = true;
    return await this.describe(signal);
  }

  /** For agents other than the session's own. */
  async describe(signal: AbortSignal): Promise<string | undefined> {
    return this.isOff() ? undefined : await describeWorkspace(this.ports, signal);
  }

  reset(): void {
    this.isReported = false;
  }
}

/** Returns `undefined` if no folder is open, or it is empty. Never rejects because of unreadable files. */
async function describeWorkspace(ports: ListPorts, signal: AbortSignal): Promise<string | undefined> {
  const roots = await Promise.all(ports.paths.all.map(path => ports.files.realPath(path).catch(() => path)));
  const several = roots.length > 1;
  const tops = roots.map((path): Folder => ({ path, depth: several ? 1 : 0, lines: [] }));
  const head = several ? (await Promise.all(roots.map(root => ports.paths.show(root)))).map(nameLine) : [];
  let left = maxBytes - Buffer.byteLength(wrap([...head, '']));
  const waiting = [...tops];
  for (let opened = 0; waiting.length > 0 && opened < maxFolders && !signal.aborted; opened++) {
    const folder = waiting.shift()!;
    const lines = await listLines(ports, folder, folder.path === roots[0] ? 2 * maxEntries : maxEntries);
    const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
    if (bytes > left) continue;
    left -= bytes;
    folder.lines = lines;
    waiting.push(...lines.flatMap(line => line.folder ?? []));
  }
  const body = tops.flatMap((top, index) => [...(several ? [head[index]!] : []), ...flatten(top)]);
  return tops.every(({ lines }) => lines.length === 0) ? undefined : wrap(body);
}

async function listLines(ports: ListPorts, folder: Folder, most: number): Promise<Line[]> {
  const entries = await listVisibleEntries(ports, folder.path).catch(error => {
    // An unreadable folder is shown only by name.
    if (error instanceof FileError) return [];
    throw error;
  });
  const indent = '  '.repeat(folder.depth);
  const lines = entries.slice(0, most).map(({ name, kind }): Line => {
    if (kind !== 'directory') return { text: indent + shown(name) };
    const text = `${indent}${shown(name)}/`;
    if (name.startsWith('.')) return { text };
    return { text, folder: { path: join(folder.path, name), depth: folder.depth + 1, lines: [] } };
  });
  if (entries.length > most) lines.push({ text: `${indent}… ${entries.length - most} more` });
  return lines;
}

function flatten({ lines }: Folder): readonly string[] {
  return lines.flatMap(({ text, folder }) => [text, ...(folder ? flatten(folder) : [])]);
}

function nameLine(name: string): string {
  return `${shown(name)}/`;
}

function shown(name: string): string {
  return defuseTags(formatListedName(name), 'workspace');
}

const heading =
  '(The upper levels, without what ignore files and settings leave out. Context, not a request.)';

function wrap(lines: readonly string[]): string {
  return ['<workspace>', heading, ...lines, '</workspace>'].join('\n');
}
