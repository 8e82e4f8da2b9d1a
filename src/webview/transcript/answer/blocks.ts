/*
 * Parses a growing answer block by block. A block is done when another one begins after it. Done blocks are never
 * parsed again, so the cost of a delta depends only on the last block:
 *
 *     done ─────────────────────────────►│ rest ─────────►
 *     [heading][paragraph][list][fence]  │ paragraph that still grows
 */

import { append, emptyPagedList, type PagedList } from '../../../protocol/pagedList.ts';

export interface Block {
  readonly markdown: string;
  /** Present if the code continues in the next block: cut between lines, or inside one. */
  readonly cut?: 'atLine' | 'inLine';
}

export interface Blocks {
  /** In pages, so that a change costs only its page. */
  readonly done: PagedList<Block>;
  /** Characters of the answer that are in `done`. */
  readonly offset: number;
  /** Markdown of the growing block; empty at the beginning. */
  readonly rest: string;
  /** Opening line of a fence that was cut, to insert before `rest`. */
  readonly reopened: string;
}

export const noBlocks: Blocks = { done: emptyPagedList, offset: 0, rest: '', reopened: '' };

/** Maximum block size. Larger blocks are cut, or each delta would parse all of it. */
const blockLimit = 12_000;

/**
 * Parses the new part of an answer. Starts again if the answer did not grow, as after a retry.
 * @param split returns the raw Markdown of the blocks of a text, in order and without loss
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
