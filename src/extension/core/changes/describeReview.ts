/* A review as the journal and the panel have it, and back. */

import type { DiffLine } from '../../../protocol/asks.ts';
import type { ReviewedFile, ReviewedHunk } from '../../../protocol/changes.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import { diffOf, placeOf } from '../../review/cellDiff.ts';
import {
  baseText,
  beginReview,
  type FileReview,
  type Hunk,
  isGone,
  presentText,
} from '../../review/fileReview.ts';
import { readUnits, splitUnits, writeUnits } from '../../review/units.ts';

/** Lines of one hunk, and of all of a file's hunks, that are shown in the panel. */
const shownPerHunk = 40;
const shownPerFile = 400;
const shownLineLength = 500;

/** Keeps what is needed to take a review up again, and tells the rest. */
export async function describeReview(
  review: FileReview,
  path: string,
  shown: string,
  blobs: BlobStore,
): Promise<ReviewedFile> {
  const keep = (text: string) => blobs.put(new TextEncoder().encode(text));
  const [base, present] = await Promise.all([keep(baseText(review)), keep(presentText(review))]);
  const hunks: ReviewedHunk[] = [];
  let left = shownPerFile;
  for (const hunk of review.hunks) {
    const { agentLines, ...place } = hunk;
    const shownAll: ShownHunk =
      review.by === 'cells' ? cellsOf(review, hunk) : { lines: linesOf(review, hunk), more: 0 };
    const lines = shownAll.lines.slice(0, Math.min(left, shownPerHunk));
    left -= lines.length;
    const agent = standsInFile(hunk) ? {} : { agent: await keep(writeUnits(agentLines, review.by)) };
    hunks.push({
      ...place,
      ...agent,
      ...(isGone(review, hunk) && { gone: true }),
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
    change: review.created ? 'created' : 'modified',
    by: review.by === 'cells' ? 'cells' : undefined,
    hunks,
  };
}

/** `undefined` when a text of it is no longer kept. */
export async function readReview(described: ReviewedFile, blobs: BlobStore): Promise<FileReview | undefined> {
  const [base, present] = await Promise.all([
    readText(blobs, described.base),
    readText(blobs, described.present),
  ]);
  if (base === undefined || present === undefined) return undefined;
  const by = described.by ?? 'lines';
  const lines = splitUnits(present, by);
  const hunks: Hunk[] = [];
  for (const hunk of described.hunks) {
    const { agent, id, status, baseStart, baseCount, start, count, touched, chapterIds, writers } = hunk;
    const place = { id, status, baseStart, baseCount, start, count, touched, chapterIds, writers };
    const written = agent === undefined ? undefined : await readText(blobs, agent);
    // Without it a hunk can still be decided on, only not be brought back.
    if (agent !== undefined && written === undefined && place.status === 'rejected') continue;
    const agentLines =
      written === undefined ? lines.slice(place.start, place.start + place.count) : readUnits(written, by);
    hunks.push({ ...place, agentLines });
  }
  const created = described.change === 'created';
  const nextId = Math.max(0, ...hunks.map(hunk => hunk.id)) + 1;
  const begun = beginReview(base, by);
  // Cells of a text that is no notebook any more: their places say nothing.
  const isWhole = hunks.every(
    hunk => hunk.start + hunk.count <= lines.length && hunk.baseStart + hunk.baseCount <= begun.base.length,
  );
  return by === 'lines' || isWhole ? { ...begun, created, present: lines, hunks, nextId } : undefined;
}

function standsInFile(hunk: Hunk): boolean {
  return hunk.status === 'pending' && !hunk.touched;
}

async function readText(blobs: BlobStore, id: string): Promise<string | undefined> {
  const bytes = await blobs.get(id);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function linesOf({ base, present }: FileReview, hunk: Hunk): readonly DiffLine[] {
  const removed = base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount);
  const added =
    hunk.status === 'rejected' ? hunk.agentLines : present.slice(hunk.start, hunk.start + hunk.count);
  return [...removed.map(shownLine('removed')), ...added.map(shownLine('added'))];
}

interface ShownHunk {
  readonly cell?: ReviewedHunk['cell'];
  readonly lines: readonly DiffLine[];
  /** Lines that are left out already. */
  readonly more: number;
}

function cellsOf(review: FileReview, hunk: Hunk): ShownHunk {
  const { lines, hiddenLines, hunk: shown } = diffOf(review, hunk, shownPerFile);
  const cut = lines.map(line => ({ ...line, text: line.text.slice(0, shownLineLength) }));
  const { oldStart, newStart } = shown;
  return { cell: { place: placeOf(review, hunk), oldStart, newStart }, lines: cut, more: hiddenLines };
}

function shownLine(kind: DiffLine['kind']): (line: string) => DiffLine {
  return line => ({ kind, text: line.replace(/\r?\n$/, '').slice(0, shownLineLength) });
}
