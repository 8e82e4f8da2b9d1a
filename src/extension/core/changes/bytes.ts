import { createHash } from 'node:crypto';
import type { Counts } from '../../../protocol/values.ts';
import { isNotebookPath } from '../../notebooks/findFault.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import type { OtherWrite } from '../../platform/otherWriters.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Bytes of a file, or `null` where there is none. */
export type FileBytes = Uint8Array | null;

/** All that stands at a path. */
export interface FileContent {
  readonly bytes: FileBytes;
  /** It may be run; absent where nobody knows. */
  readonly executable?: boolean;
  /** Where a symbolic link leads, which has no bytes of its own. */
  readonly link?: string;
}

/** Where one of them is not known they count as the same. */
export function sameMode(
  one: Pick<FileContent, 'executable'>,
  other: Pick<FileContent, 'executable'>,
): boolean {
  const isKnown = one.executable !== undefined && other.executable !== undefined;
  return !isKnown || one.executable === other.executable;
}

const linkMark = 'link:';

/** Names what stood at a path: the blob of a file's bytes, or where a link leads; `null`: nothing. */
export function nameOf({ bytes, link }: FileContent): string | null {
  return link === undefined ? blobIdOf(bytes) : linkMark + link;
}

/** The link that a name stands for; `undefined`: it stands for none. */
export function linkNamed(name: string | null): string | undefined {
  return name?.startsWith(linkMark) ? name.slice(linkMark.length) : undefined;
}

/** The name under which a blob store keeps these bytes. */
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
 * Lines that come and go between two contents, or cells of a notebook that change; binary content has none. And whether
 * what stands there has become executable.
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

/** How it is afterwards; `undefined`: as before, or it is gone, or not known. A new file was not executable before. */
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

/** The stretches between the writes of others in which the file changed, oldest first. */
export function changesBetween(
  earlier: FileContent,
  others: readonly OtherWrite[],
  present: FileContent,
): readonly { readonly before: FileContent; readonly after: FileContent }[] {
  // Nobody types whether a file may be run: that is the command's, in the last stretch.
  const typed = (bytes: FileBytes) => ({ bytes, executable: bytes ? earlier.executable : undefined });
  const starts = [earlier, ...others.map(({ after }) => typed(after))];
  const ends = [...others.map(({ before }) => before && typed(before)), present];
  return starts.flatMap((before, at) => {
    const after = ends[at] === null ? typed(null) : ends[at];
    return after === undefined || sameContent(before, after) ? [] : [{ before, after }];
  });
}
