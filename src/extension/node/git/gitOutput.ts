/* Parses Git's machine-readable output. Each entry of a list ends with NUL. */

import type { GitEntry } from '../../platform/versionControl.ts';

export interface CommittedEntry {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** `other`: a submodule, now or in the commit. `unknown`: untracked. */
  readonly kind: 'file' | 'other' | 'unknown';
  /** Id of the committed content. `null` if none is committed. */
  readonly blob: string | null;
  /** True if it is committed as an executable file; `isLink` if as a symbolic link. */
  readonly executable?: boolean;
  readonly isLink?: boolean;
}

interface GitStatus {
  /** `null` before the first commit. */
  readonly commit: string | null;
  readonly entries: readonly CommittedEntry[];
}

/**
 * `status --porcelain=v2 --branch --no-renames`:
 *
 *     # branch.oid <commit>
 *     1 XY sub mH mI mW hH hI path
 *     u XY sub m1 m2 m3 mW h1 h2 h3 path        in conflict; stage 2 is our side
 *     ? path
 */
export function parseStatus(output: string): GitStatus {
  let commit: string | null = null;
  const entries: CommittedEntry[] = [];
  for (const line of split(output)) {
    if (line.startsWith('# branch.oid ')) commit = parseCommit(line.slice('# branch.oid '.length));
    else if (line.startsWith('1 ')) entries.push(parseChanged(line));
    else if (line.startsWith('u ')) entries.push(parseConflict(line));
    // An untracked folder that is a repository.
    else if (line.startsWith('? ') && !line.endsWith('/'))
      entries.push({ path: line.slice(2), kind: 'unknown', blob: null });
  }
  return { commit, entries };
}

/**
 * `diff-tree -r --raw --no-renames`: `:mode mode blob blob status`, then the path. Returns the content of the first
 * side.
 */
export function parseRawDiff(output: string): readonly CommittedEntry[] {
  const parts = split(output);
  const entries: CommittedEntry[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [from = '', to = '', blob = ''] = parts[i]!.slice(1).split(' ');
    entries.push({ path: parts[i + 1]!, kind: kindOf([from, to]), ...committed(from, blob) });
  }
  return entries;
}

/** `ls-tree -r`. */
export function parseTree(output: string): readonly CommittedEntry[] {
  return [...parseEntries(output)].map(([path, { mode, blob }]) => ({
    path,
    kind: kindOf([mode]),
    ...committed(mode, blob),
  }));
}

/** `ls-files --stage`: `mode blob stage<TAB>path`; `ls-tree`: `mode type blob<TAB>path`. By path. */
export function parseEntries(output: string): ReadonlyMap<string, GitEntry> {
  return new Map(
    split(output).map(line => {
      const [, mode = '', type = '', blob = '', stage = '0', path = ''] = entryLine.exec(line) ?? [];
      return [
        path,
        { mode, blob, content: stage === '0' && type !== 'commit' ? `${blob}:${path}` : undefined },
      ];
    }),
  );
}

const entryLine = /^(\d+) (?:(blob|commit|tree) )?([0-9a-f]+)(?: (\d))?\t(.*)$/s;

/**
 * `cat-file --batch --filters`: `blob type size`, the content, a line break. The size does not count filters, so each
 * content ends at Git's reply to a missing object that is requested after it.
 */
export function parseContents(
  output: Buffer,
  names: readonly string[],
  noObject: string,
): ReadonlyMap<string, Buffer> {
  const end = `${noObject} missing\n`;
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const name of names) {
    const next = output.indexOf(end, at);
    const begin = output.indexOf('\n', at) + 1;
    if (next < 0) break;
    if (/ blob \d+\n$/.test(output.toString('latin1', at, begin)))
      contents.set(name, output.subarray(begin, next - 1));
    at = next + end.length;
  }
  return contents;
}

function parseChanged(line: string): CommittedEntry {
  const [fields, path] = cutFields(line, 8);
  const [, , , head = '', index = '', worktree = '', blob = ''] = fields;
  return { path, kind: kindOf([head, index, worktree]), ...committed(head, blob) };
}

function parseConflict(line: string): CommittedEntry {
  const [fields, path] = cutFields(line, 10);
  const [, , , , ours = '', , worktree = '', , blob = ''] = fields;
  return { path, kind: kindOf([ours, worktree]), ...committed(ours, blob) };
}

function split(output: string): readonly string[] {
  return output.split('\0').filter(part => part !== '');
}

/** The path is the rest after the fields, including spaces. */
function cutFields(line: string, count: number): readonly [readonly string[], string] {
  const parts = line.split(' ');
  return [parts.slice(0, count), parts.slice(count).join(' ')];
}

function kindOf(modes: readonly string[]): 'file' | 'other' {
  return modes.includes('160000') ? 'other' : 'file';
}

function committed(mode: string, blob: string): Pick<CommittedEntry, 'blob' | 'executable' | 'isLink'> {
  const executable = mode.startsWith('100') ? mode === '100755' : undefined;
  return { blob: parseBlob(blob), executable, isLink: mode === '120000' };
}

function parseBlob(blob: string): string | null {
  return /^0+$/.test(blob) ? null : blob;
}

function parseCommit(commit: string): string | null {
  return commit === '(initial)' ? null : commit;
}
