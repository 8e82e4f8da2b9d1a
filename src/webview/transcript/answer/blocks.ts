/*
 * An answer that grows is parsed block by block. A block is done when another one has begun behind it; done
 * blocks are never checked again, so that the cost of a delta depends on the last block alone:
 *
 *     done ─────────────────────────────►│ rest ─────────►
 *     [heading][paragraph][list][fence]  │ paragraph that still grows
 */

import { append, emptyPages, type Pages } from '../../../protocol/pages.ts';

export interface Block {
  readonly markdown: string;
  /** Its code continues in the next block: it was cut between two lines, or in the middle of one. */
  readonly cut?: 'atLine' | 'inLine';
}

export interface Blocks {
  /** In pages, so that thousands of blocks cost what the last page costs. */
  readonly done: Pages<Block>;
  /** Characters of the answer that are in `done`. */
  readonly offset: number;
  /** Markdown of the block that still grows; empty at the very beginning. */
  readonly rest: string;
  /** The opening line of a fence that was cut open, to be put before `rest`. */
  readonly reopened: string;
}

export const noBlocks: Blocks = { done: emptyPages, offset: 0, rest: '', reopened: '' };

/** A block that grows beyond this is cut at a line, or it would be parsed again and again as a whole. */
const blockLimit = 12_000;

/**
 * `split` gives the raw Markdown of the blocks of a text, in order and without loss. An answer only grows; when
 * it did not (a retry), the work starts again.
 */
export function advanceBlocks(
  blocks: Blocks,
  text: string,
  split: (markdown: string) => readonly string[],
): Blocks {
  if (text.length < blocks.offset) return advanceBlocks(noBlocks, text, split);
  const grown = blocks.reopened + text.slice(blocks.offset);
  if (grown === blocks.rest) return blocks;
  const parts = split(grown);
  let done = blocks.done;
  for (const part of parts.slice(0, -1)) done = append(done, { markdown: part });
  const rest = parts.at(-1) ?? '';
  const carried = parts.length > 1 ? '' : blocks.reopened;
  return cutLongRest({ done, offset: text.length - rest.length + carried.length, rest, reopened: carried });
}

function cutLongRest(blocks: Blocks): Blocks {
  if (blocks.rest.length <= blockLimit) return blocks;
  const at = cutPosition(blocks.rest);
  const fence = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/.exec(blocks.rest);
  const head = blocks.rest.slice(0, at);
  const opening = fence?.[0] ?? '';
  const tail = blocks.rest.slice(at);
  return cutLongRest({
    done: append(blocks.done, fence ? cutCode(head, fence[1]!) : { markdown: head }),
    offset: blocks.offset + at - blocks.reopened.length,
    rest: opening + tail,
    reopened: opening,
  });
}

function cutCode(head: string, fence: string): Block {
  if (head.endsWith('\n')) return { markdown: head + fence, cut: 'atLine' };
  return { markdown: `${head}\n${fence}`, cut: 'inLine' };
}

function cutPosition(text: string): number {
  const line = text.lastIndexOf('\n', blockLimit);
  if (line > blockLimit / 2) return line + 1;
  const space = text.lastIndexOf(' ', blockLimit);
  return space > blockLimit / 2 ? space + 1 : blockLimit;
}
