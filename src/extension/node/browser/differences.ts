/* Finds the parts in which two pictures differ. */

import type { PictureRegion } from '../../platform/browser/browser.ts';

/** Pixels of a cell. Differing pixels within one or two cells form one region: letters of a word, lines of a text. */
const cell = 8;
const maxRegions = 10;

interface Differences {
  /** Number of differing pixels, without isolated ones. */
  readonly count: number;
  readonly regions: readonly PictureRegion[];
  readonly more: number;
}

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** @param bits one bit per pixel, row by row, set where the pictures differ */
export function findDifferences(bits: Uint8Array, width: number, height: number): Differences {
  const differs = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    const at = y * width + x;
    return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  };
  /** Isolated pixels come from anti-aliased edges. */
  const isAlone = (x: number, y: number) => {
    for (let row = y - 1; row <= y + 1; row++)
      for (let column = x - 1; column <= x + 1; column++)
        if ((row !== y || column !== x) && differs(column, row)) return false;
    return true;
  };
  const columns = Math.ceil(width / cell);
  const cells = new Map<number, Edges>();
  let count = 0;
  for (let at = 0; at < width * height; at++) {
    // Skips eight equal pixels at once, since most are equal.
    if ((at & 7) === 0 && bits[at >> 3] === 0) at += 7;
    const x = at % width;
    const y = (at - x) / width;
    if (!differs(x, y) || isAlone(x, y)) continue;
    count++;
    const key = Math.floor(y / cell) * columns + Math.floor(x / cell);
    cells.set(key, join(cells.get(key), { left: x, top: y, right: x + 1, bottom: y + 1 }));
  }
  const regions = groups(cells, columns)
    .map(({ left, top, right, bottom }) => ({ x: left, y: top, width: right - left, height: bottom - top }))
    .sort((one, other) => other.width * other.height - one.width * one.height);
  return { count, regions: regions.slice(0, maxRegions), more: Math.max(0, regions.length - maxRegions) };
}

/** Joins cells that touch, or have one cell between them. */
function groups(cells: Map<number, Edges>, columns: number): readonly Edges[] {
  const found: Edges[] = [];
  for (const first of [...cells.keys()]) {
    const edges = cells.get(first);
    if (!edges) continue;
    cells.delete(first);
    const open = [first];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const column = key % columns;
      for (let down = -2; down <= 2; down++)
        for (let aside = -2; aside <= 2; aside++) {
          const near = key + down * columns + aside;
          const next = cells.get(near);
          if (!next || column + aside < 0 || column + aside >= columns) continue;
          cells.delete(near);
          join(edges, next);
          open.push(near);
        }
    }
    found.push(edges);
  }
  return found;
}

function join(edges: Edges | undefined, other: Edges): Edges {
  if (!edges) return other;
  edges.left = Math.min(edges.left, other.left);
  edges.top = Math.min(edges.top, other.top);
  edges.right = Math.max(edges.right, other.right);
  edges.bottom = Math.max(edges.bottom, other.bottom);
  return edges;
}
