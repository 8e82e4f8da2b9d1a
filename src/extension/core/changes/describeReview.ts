/* Converts a review to its form in the journal and the panel, and back. */

import type { DiffLine } from '../../../protocol/asks.ts';
import type { ReviewedFile, ReviewedHunk } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { headOf } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { asLines } from '../../review/asLines.ts';
import { cellHunkDiff, hunkLocation } from '../../review/cellDiff.ts';
import { baseText, beginReview, isOverwritten, presentText } from '../../review/fileReview.ts';
import type { FileReview, Hunk, ModeHunk } from '../../review/hunk.ts';
import { readUnits, splitUnits, type UnitKind, writeUnits } from '../../review/units.ts';
import { unitModeChange } from '../../review/wholeFile.ts';
import type { LedgerEntry } from './reviewPlace.ts';

/** Lines shown in the panel per hunk, and for all hunks of a file. */
const shownPerHunk = 40;
const shownPerFile = 400;
const shownLineLength = 500;

export interface RecordPorts {
  readonly blobs: BlobStore;
  readonly log: Pick<Log, 'error'>;
  /** Formats a path for the panel. */
  readonly show: (path: string) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
}

/** Stores what is needed to resume a review and emits it, unless `isKnown` reports that it has ended. */
export async function recordReview(
  path: string,
  entry: LedgerEntry,
  isKnown: () => boolean,
  { show, blobs, emit, log }: RecordPorts,
): Promise<void> {
  const { review } = entry;
  if (entry.recorded === review || !isKnown()) return;
  try {
    const described = await describeReview(review, path, await show(path), blobs);
    if (!isKnown()) return;
    entry.recorded = review;
    emit({ type: 'review.changed', path, review: described });
  } catch (error) {
    // The review continues in memory, and is only lost by a reload.
    log.error(`The review of ${path} could not be recorded`, error);
  }
}

/** Stores what is needed to bring shelved reviews back and emits it. */
export async function recordShelvedReviews(
  path: string,
  entry: LedgerEntry,
  { show, blobs, emit, log }: RecordPorts,
): Promise<void> {
  const { away } = entry;
  if (entry.recordedAway === away) return;
  try {
    const shown = await show(path);
    const reviews = await Promise.all(away.map(review => describeReview(review, path, shown, blobs)));
    const isReported = reviews.length > 0 || entry.recordedAway.length > 0;
    entry.recordedAway = away;
    if (isReported) emit({ type: 'review.putAside', path, reviews });
  } catch (error) {
    log.error(`What may come back in ${path} could not be recorded`, error);
  }
}

async function describeReview(
  review: FileReview,
  path: string,
  shown: string,
  blobs: BlobStore,
): Promise<ReviewedFile> {
  const keep = (text: string) => blobs.put(new TextEncoder().encode(text));
  const [base, present] = await Promise.all([keep(baseText(review)), keep(presentText(review))]);
  const hunks: ReviewedHunk[] = review.mode ? [describeMode(review.mode)] : [];
  let left = shownPerFile;
  for (const hunk of review.hunks) {
    const { agentLines, ...place } = hunk;
    const executable =
      review.by === 'file' ? unitModeChange(review.base[0], agentUnit(review, hunk)) : undefined;
    const shownAll: ShownHunk =
      review.by === 'cells' ? cellsOf(review, hunk) : { lines: linesOf(asLines(review), hunk.id), more: 0 };
    const lines = shownAll.lines.slice(0, Math.min(left, shownPerHunk));
    left -= lines.length;
    hunks.push({
      ...place,
      agent: standsInFile(hunk) ? undefined : await keep(writeUnits(agentLines, review.by)),
      gone: isOverwritten(review, hunk) || undefined,
      executable,
      cell: shownAll.cell,
      lines,
      hiddenLines: shownAll.lines.length - lines.length + shownAll.more,
    });
  }
  return {
    path,
    shown,
    base,
    present,
    change: changeOf(review),
    by: review.by === 'lines' ? undefined : review.by,
    hunks,
  };
}

/** Returns `undefined` if one of its texts is no longer stored. */
export async function readReview(described: ReviewedFile, blobs: BlobStore): Promise<FileReview | undefined> {
  const [base, present] = await Promise.all([
    readText(blobs, described.base),
    readText(blobs, described.present),
  ]);
  if (base === undefined || present === undefined) return undefined;
  const by = described.by ?? 'lines';
  const lines = splitUnits(present, by);
  const hunks: Hunk[] = [];
  for (const hunk of described.hunks.filter(each => !isMode(each, by))) {
    const { agent, id, status, baseStart, baseCount, start, count, touched, chapterIds, writers } = hunk;
    const place = { id, status, baseStart, baseCount, start, count, touched, chapterIds, writers };
    const written = agent === undefined ? undefined : await readText(blobs, agent);
    // Without the text a hunk can still be decided on, but not brought back once rejected.
    if (agent !== undefined && written === undefined && place.status === 'rejected') continue;
    const agentLines =
      written === undefined ? lines.slice(place.start, place.start + place.count) : readUnits(written, by);
    hunks.push({ ...place, agentLines });
  }
  const created = described.change === 'created';
  const nextId = Math.max(0, ...described.hunks.map(hunk => hunk.id)) + 1;
  const mode = modeOf(described.hunks.find(each => isMode(each, by)));
  const begun = beginReview(base, by);
  // If the text is no longer a notebook, positions of its cells are invalid.
  const isWhole = hunks.every(
    hunk => hunk.start + hunk.count <= lines.length && hunk.baseStart + hunk.baseCount <= begun.base.length,
  );
  return by === 'lines' || isWhole ? { ...begun, created, present: lines, hunks, mode, nextId } : undefined;
}

function describeMode({ agentLines: _, ...mode }: ModeHunk): ReviewedHunk {
  return { ...mode, lines: [], hiddenLines: 0 };
}

/** True for a separate change of mode. For a file reviewed as a whole, the mode is part of the whole. */
function isMode({ executable }: ReviewedHunk, by: UnitKind): boolean {
  return by !== 'file' && executable !== undefined;
}

function modeOf(described: ReviewedHunk | undefined): ModeHunk | undefined {
  if (described?.executable === undefined) return undefined;
  const { id, status, baseStart, baseCount, start, count, touched, chapterIds, writers } = described;
  const place = { id, status, baseStart, baseCount, start, count, touched, chapterIds, writers };
  return { ...place, agentLines: [], executable: described.executable };
}

function agentUnit(review: FileReview, hunk: Hunk): string | undefined {
  return hunk.status === 'rejected' ? hunk.agentLines[0] : review.present[0];
}

function changeOf(review: FileReview): ReviewedFile['change'] {
  if (review.created) return 'created';
  return review.by === 'file' && review.present.length === 0 ? 'deleted' : 'modified';
}

function standsInFile(hunk: Hunk): boolean {
  return hunk.status === 'pending' && !hunk.touched;
}

async function readText(blobs: BlobStore, id: string): Promise<string | undefined> {
  const bytes = await blobs.get(id);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function linesOf({ base, present, hunks }: FileReview, id: number): readonly DiffLine[] {
  const hunk = hunks.find(each => each.id === id)!;
  const removed = base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount);
  const added =
    hunk.status === 'rejected' ? hunk.agentLines : present.slice(hunk.start, hunk.start + hunk.count);
  return [...removed.map(shownLine('removed')), ...added.map(shownLine('added'))];
}

interface ShownHunk {
  readonly cell?: ReviewedHunk['cell'];
  readonly lines: readonly DiffLine[];
  /** Number of lines already omitted. */
  readonly more: number;
}

function cellsOf(review: FileReview, hunk: Hunk): ShownHunk {
  const { lines, hiddenLines, hunk: shown } = cellHunkDiff(review, hunk, shownPerFile);
  const cut = lines.map(line => ({ ...line, text: headOf(line.text, shownLineLength) }));
  const { oldStart, newStart } = shown;
  return { cell: { place: hunkLocation(review, hunk), oldStart, newStart }, lines: cut, more: hiddenLines };
}

function shownLine(kind: DiffLine['kind']): (line: string) => DiffLine {
  return line => ({ kind, text: headOf(line.replace(/\r?\n$/, ''), shownLineLength) });
}
