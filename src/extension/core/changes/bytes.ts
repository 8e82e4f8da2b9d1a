import { createHash } from 'node:crypto';
import type { Counts } from '../../../protocol/values.ts';
import { isNotebookPath } from '../../notebooks/findFault.ts';
import type { ConcurrentWrite } from '../../platform/concurrentWrites.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Bytes of a file, or `null` if it does not exist. */
export type FileBytes = Uint8Array | null;

/** Everything that a path holds. */
export interface FileContent {
  readonly bytes: FileBytes;
  /** The executable bit; absent if unknown. */
  readonly executable?: boolean;
  /** Target of a symbolic link, which has no bytes of its own. */
  readonly link?: string;
}

/** Treats unknown modes as equal. */
export function sameMode(
  one: Pick<FileContent, 'executable'>,
  other: Pick<FileContent, 'executable'>,
): boolean {
  const isKnown = one.executable !== undefined && other.executable !== undefined;
  return !isKnown || one.executable === other.executable;
}

const linkMark = 'link:';

/** Names a content: the blob id of a file, or a link's target; `null`: nothing exists. */
export function contentId({ bytes, link }: FileContent): string | null {
  return link === undefined ? blobIdOf(bytes) : linkMark + link;
}

/** Returns the link target that a name stands for; `undefined`: it names no link. */
export function linkTargetOf(name: string | null): string | undefined {
  return name?.startsWith(linkMark) ? name.slice(linkMark.length) : undefined;
}

/** The name of these bytes in a blob store. */
export function blobIdOf(bytes: FileBytes): string | null {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

function sameContent(one: FileContent, other: FileContent): boolean {
  return one.link === other.link && sameBytes(one.bytes, other.bytes) && sameMode(one, other);
}

export function sameBytes(a: FileBytes, b: FileBytes): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/**
 * Counts added and removed lines, or changed cells of a notebook, and reports whether the file became executable.
 * Binary content has no counts.
 */
export async function countChange(
  files: Pick<FileReader, 'decode'>,
  path: string,
  before: FileContent,
  after: FileContent,
): Promise<Counts> {
  const textOf = async ({ bytes }: FileContent) => (bytes && (await files.decode(path, bytes))?.text) ?? '';
  const counts = countTextChange(path, await textOf(before), await textOf(after));
  return { ...counts, executable: modeChange(before, after) };
}

/** The new executable bit; `undefined`: unchanged, deleted or unknown. A new file counts as not executable before. */
function modeChange(before: FileContent, after: FileContent): boolean | undefined {
  const was = before.bytes === null ? false : before.executable;
  return was === undefined || was === after.executable ? undefined : after.executable;
}

export function countTextChange(path: string, before: string, after: string): Counts {
  if (isNotebookPath(path)) {
    const orNone = (text: string) => (text === '' ? null : text);
    const { added, removed, cells } = fileDiff(path, orNone(before), orNone(after));
    return { added, removed, cells };
  }
  const edits = lineEdits(splitLines(before), splitLines(after));
  return {
    added: edits.reduce((sum, edit) => sum + edit.newCount, 0),
    removed: edits.reduce((sum, edit) => sum + edit.oldCount, 0),
  };
}

/** Returns the changes of the file between the writes of others, oldest first. */
export function changesBetween(
  earlier: FileContent,
  others: readonly ConcurrentWrite[],
  present: FileContent,
): readonly { readonly before: FileContent; readonly after: FileContent }[] {
  // Editors never change the mode, so a changed one is the command's and belongs to the last change.
  const typed = (bytes: FileBytes) => ({ bytes, executable: bytes ? earlier.executable : undefined });
  const starts = [earlier, ...others.map(({ after }) => typed(after))];
  const ends = [...others.map(({ before }) => before && typed(before)), present];
  return starts.flatMap((before, at) => {
    const after = ends[at] === null ? typed(null) : ends[at];
    return after === undefined || sameContent(before, after) ? [] : [{ before, after }];
  });
}
