/* A review as the journal and the panel have it, and back. */

import type { DiffLine } from '../../../protocol/asks.ts';
import type { ReviewedFile, ReviewedHunk } from '../../../protocol/changes.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import {
  baseText,
  beginReview,
  type FileReview,
  type Hunk,
  isGone,
  presentText,
} from '../../review/fileReview.ts';
import { splitLines } from '../../review/lineEdits.ts';

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
    const all = linesOf(review, hunk);
    const lines = all.slice(0, Math.min(left, shownPerHunk));
    left -= lines.length;
    const agent = standsInFile(hunk) ? {} : { agent: await keep(agentLines.join('')) };
    hunks.push({
      ...place,
      ...agent,
      ...(isGone(review, hunk) && { gone: true }),
      lines,
      hiddenLines: all.length - lines.length,
    });
  }
  return { path, shown, base, present, change: review.created ? 'created' : 'modified', hunks };
}

/** `undefined` when a text of it is no longer kept. */
export async function readReview(described: ReviewedFile, blobs: BlobStore): Promise<FileReview | undefined> {
  const [base, present] = await Promise.all([
    readText(blobs, described.base),
    readText(blobs, described.present),
  ]);
  if (base === undefined || present === undefined) return undefined;
  const lines = splitLines(present);
  const hunks: Hunk[] = [];
  for (const { agent, gone: _gone, lines: _lines, hiddenLines: _hidden, ...place } of described.hunks) {
    const written = agent === undefined ? undefined : await readText(blobs, agent);
    // Without it a hunk can still be decided on, only not be brought back.
    if (agent !== undefined && written === undefined && place.status === 'rejected') continue;
    const agentLines =
      written === undefined ? lines.slice(place.start, place.start + place.count) : splitLines(written);
    hunks.push({ ...place, agentLines });
  }
  const created = described.change === 'created';
  const nextId = Math.max(0, ...hunks.map(hunk => hunk.id)) + 1;
  return { ...beginReview(base), created, present: lines, hunks, nextId };
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

function shownLine(kind: DiffLine['kind']): (line: string) => DiffLine {
  return line => ({ kind, text: line.replace(/\r?\n$/, '').slice(0, shownLineLength) });
}
