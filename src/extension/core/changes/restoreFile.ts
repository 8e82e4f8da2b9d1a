import { t } from '../../../protocol/language.ts';
import type { Counts, RestoredFile } from '../../../protocol/values.ts';
import { isSameFormat } from '../../platform/fileEncodings.ts';
import {
  FileError,
  type FileSystem,
  ifReadable,
  type TextFile,
  type TextFormat,
} from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import {
  applyAgentWrite,
  applyUserWrites,
  baseText,
  beginReview,
  changesTo,
} from '../../review/fileReview.ts';
import { type UnitKind, unitsOf } from '../../review/units.ts';
import { expectRealFolder } from './attributedFileSystem.ts';
import {
  contentId,
  countChange,
  countTextChange,
  type FileBytes,
  type FileContent,
  linkTargetOf,
  sameBytes,
  sameMode,
} from './bytes.ts';
import type { ForeignEdit, WrittenFile } from './checkpoints.ts';

interface RestorePorts {
  readonly files: FileSystem;
  readonly blobs: BlobStore;
}

/** A planned restoration. `unchanged`: the file already has the wanted content. */
type Restoration = (
  | RestoredContent
  /** Only the mode changes. */
  | { readonly kind: 'mode'; readonly present: string | null; readonly counts: Counts }
) & {
  /** The mode to set; absent: unchanged. */
  readonly executable?: boolean;
};

type RestoredContent =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'blocked'; readonly result: 'conflict' | 'lost'; readonly counts: Counts }
  | { readonly kind: 'delete'; readonly present: string | null; readonly counts: Counts }
  | {
      readonly kind: 'bytes';
      readonly result: 'restored' | 'created';
      readonly bytes: Uint8Array;
      /** Name of the content that it replaces; `null`: nothing. */
      readonly present: string | null;
      readonly counts: Counts;
    }
  | {
      readonly kind: 'link';
      readonly target: string;
      readonly present: string | null;
      readonly counts: Counts;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly expected: string;
      readonly format: TextFormat;
      readonly counts: Counts;
    };

const noLines: Counts = { added: 0, removed: 0 };

/** Plans a restoration. Only reads. */
export async function planRestoration(file: WrittenFile, ports: RestorePorts): Promise<Restoration> {
  const found = await readPresent(file.path, ports.files);
  if (found === 'unreadable') return { kind: 'blocked', result: 'conflict', counts: noLines };
  const content = await planContent(file, found, ports);
  const executable = wantedMode(file, found);
  if (executable === undefined || content.kind === 'blocked' || content.kind === 'delete') return content;
  const counts = { ...noLines, ...('counts' in content ? content.counts : undefined), executable };
  if (content.kind !== 'unchanged') return { ...content, executable, counts };
  return { kind: 'mode', present: contentId(found), executable, counts };
}

/** Returns the mode to restore; `undefined`: others changed it, or it is as before. */
function wantedMode(
  { before, after, edits, isCertain }: WrittenFile,
  found: FileContent,
): boolean | undefined {
  if (before.executable === undefined || !isCertain) return undefined;
  // A newly written file is not executable.
  if (found.bytes === null) return before.executable || undefined;
  const isOthers = !sameMode(after, found) || edits.some(({ left, found: made }) => !sameMode(left, made));
  return isOthers || sameMode(before, found) ? undefined : before.executable;
}

async function planContent(
  file: WrittenFile,
  found: FileContent,
  ports: RestorePorts,
): Promise<RestoredContent> {
  const present = contentId(found);
  // Names are hashes, so even the content of a lost blob can be recognised.
  if (present === file.before.name) return { kind: 'unchanged' };
  const target = linkTargetOf(file.before.name);
  const wanted = target === undefined ? await readBlob(ports.blobs, file.before.name) : null;
  if (wanted === 'lost') return { kind: 'blocked', result: 'lost', counts: noLines };
  const counts = await countChange(ports.files, file.path, { bytes: found.bytes }, { bytes: wanted });
  if (!file.isCertain) return { kind: 'blocked', result: 'conflict', counts };
  const edits = countingEdits(file);
  // Writing bytes would conflict with an editor that could not save Folio's text.
  const isUnsaved = found.bytes !== null && !sameBytes(found.bytes, await ports.files.readSaved(file.path));
  if (edits.length > 0 || present !== file.after.name || isUnsaved) {
    return (await planMerge(file, edits, ports)) ?? { kind: 'blocked', result: 'conflict', counts };
  }
  if (target !== undefined) return { kind: 'link', target, present, counts };
  if (wanted === null) return { kind: 'delete', present, counts };
  return { kind: 'bytes', result: present === null ? 'created' : 'restored', bytes: wanted, present, counts };
}

/** Writes atomically. Throws `FileError` if the file changed since the plan. */
export async function applyRestoration(
  path: string,
  plan: Restoration,
  files: FileSystem,
): Promise<RestoredFile['result'] | undefined> {
  switch (plan.kind) {
    case 'unchanged':
      return undefined;
    case 'blocked':
      return plan.result;
    case 'delete':
      await expect(path, plan.present, files);
      await files.delete(path);
      return 'deleted';
    case 'bytes':
      await expect(path, plan.present, files);
      // Bytes would be written through the link.
      if (linkTargetOf(plan.present) !== undefined) await files.delete(path);
      await files.writeBytes(path, plan.bytes);
      await setMode(path, plan, files);
      return plan.result;
    case 'link':
      await expect(path, plan.present, files);
      await files.writeLink(path, plan.target);
      return 'restored';
    case 'text':
      await files.writeText(path, plan.text, plan.format, plan.expected);
      await setMode(path, plan, files);
      return 'merged';
    case 'mode':
      await expect(path, plan.present, files);
      await setMode(path, plan, files);
      return 'restored';
  }
}

async function setMode(path: string, { executable }: Restoration, files: FileSystem): Promise<void> {
  if (executable !== undefined) await files.setExecutable(path, executable);
}

/** Ignores edits before the file last had the wanted content or was gone. */
function countingEdits(file: WrittenFile): readonly ForeignEdit[] {
  const { edits, before } = file;
  const over = edits.findLastIndex(({ found: { name } }) => name === before.name || name === null);
  return edits.slice(over + 1).filter(({ left, found }) => left.name !== found.name);
}

/** Returns `undefined` if edits by others overlap the restored parts, are no text, or are no longer stored. */
async function planMerge(
  file: WrittenFile,
  edits: readonly ForeignEdit[],
  ports: RestorePorts,
): Promise<RestoredContent | undefined> {
  const [wanted, left, present] = await Promise.all([
    readCheckpointText(ports, file.path, file.before.name),
    readCheckpointText(ports, file.path, file.after.name),
    // Deleted or no text: nothing to merge.
    ifReadable(ports.files.readText(file.path)),
  ]);
  if (!wanted || !left || !present) return undefined;
  const steps: MergeStep[] = [];
  for (const edit of edits) {
    const [from, to] = await Promise.all([
      readCheckpointText(ports, file.path, edit.left.name),
      readCheckpointText(ports, file.path, edit.found.name),
    ]);
    if (!from || !to) return undefined;
    steps.push({ left: from.text, found: to.text });
  }
  steps.push({ left: left.text, found: present.text });
  const text = mergeBack(wanted.text, steps, unitsOf(file.path));
  if (text === undefined) return undefined;
  const format = isSameFormat(present.format, left.format) ? wanted.format : present.format;
  if (text === present.text && isSameFormat(format, present.format)) return { kind: 'unchanged' };
  const counts = countTextChange(file.path, present.text, text);
  return { kind: 'text', text, expected: present.text, format, counts };
}

async function readCheckpointText(
  { files, blobs }: RestorePorts,
  path: string,
  id: string | null,
): Promise<TextFile | undefined> {
  const bytes = await readBlob(blobs, id);
  return bytes === null || bytes === 'lost' ? undefined : files.decode(path, bytes);
}

async function readPresent(path: string, files: FileSystem): Promise<FileContent | 'unreadable'> {
  try {
    await expectRealFolder(path, files);
    const link = await files.readLink(path);
    if (link !== undefined) return { bytes: null, link };
    const stat = await files.stat(path);
    if (!stat) return { bytes: null };
    if (stat.kind !== 'file') return 'unreadable';
    return { bytes: await files.readBytes(path), executable: stat.executable };
  } catch (error) {
    // An unreadable file is skipped; others are restored.
    if (error instanceof FileError) return 'unreadable';
    throw error;
  }
}

async function expect(path: string, present: string | null, files: FileSystem): Promise<void> {
  const found = await readPresent(path, files);
  if (found !== 'unreadable' && contentId(found) === present) return;
  throw new FileError('changed', path, () =>
    t('{0} changed during the restore, so Folio did not overwrite it.', path),
  );
}

async function readBlob(blobs: BlobStore, id: string | null): Promise<FileBytes | 'lost'> {
  return id === null ? null : ((await blobs.get(id)) ?? 'lost');
}

/** A text that Folio left, and what others made of it. */
interface MergeStep {
  readonly left: string;
  readonly found: string;
}

/**
 * Merges three-way, once per round: applies the edits of others to the restored text and drops Folio's.
 *
 *     wanted ─Folio► left ─others► found ─Folio► left ─others► found
 *        └────────────────others──────────────────────others───────► the result
 *
 * Returns `undefined` if others edited inside Folio's text, so that the two cannot be separated.
 */
function mergeBack(wanted: string, steps: readonly MergeStep[], by: UnitKind): string | undefined {
  let review = beginReview(wanted, by);
  for (const { left, found } of steps) {
    review = applyAgentWrite(review, changesTo(review, left), '');
    review = applyUserWrites(review, changesTo(review, found));
    if (review.hunks.some(hunk => hunk.touched)) return undefined;
  }
  // Two lines would be joined if both sides added one after a last line without a line break.
  const isWhole =
    by === 'cells' || review.base.every((line, i) => line.endsWith('\n') || i === review.base.length - 1);
  return isWhole ? baseText(review) : undefined;
}
