import { describe, expect, it } from 'vitest';
import {
  append,
  emptyPagedList,
  iterate,
  lastItem,
  type PagedList,
  patchNewest,
  trimEnd,
} from '../../src/protocol/pagedList.ts';
import { fc } from '../support/properties.ts';

function listOf(count: number): PagedList<number> {
  let list: PagedList<number> = emptyPagedList;
  for (let i = 0; i < count; i++) list = append(list, i);
  return list;
}

describe('a paged list', () => {
  it('holds what was appended, in order', () => {
    fc.assert(
      fc.property(fc.nat(400), count => {
        const list = listOf(count);
        expect([...iterate(list)]).toEqual(Array.from({ length: count }, (_, i) => i));
        expect(list.length).toBe(count);
        expect(lastItem(list)).toBe(count > 0 ? count - 1 : undefined);
      }),
    );
  });

  it('patches the newest match and shares every other page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(399), (count, at) => {
        fc.pre(at < count);
        const list = listOf(count);
        const patched = patchNewest(list, item => (item === at ? -1 : undefined));
        expect([...iterate(patched)].map((item, i) => (item === -1 ? i : item))).toEqual([...iterate(list)]);
        expect(patched.pages.filter((page, i) => page !== list.pages[i])).toHaveLength(1);
      }),
    );
  });

  it('comes back itself when nothing matches', () => {
    const list = listOf(100);
    expect(patchNewest(list, () => undefined)).toBe(list);
  });

  it('is trimmed from the end up to the first that stays', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (count, keep) => {
        const trimmed = trimEnd(listOf(count), item => item >= keep);
        expect([...iterate(trimmed)]).toEqual([...iterate(listOf(Math.min(count, keep)))]);
        expect(trimmed.length).toBe(Math.min(count, keep));
        expect([...iterate(append(trimmed, -1))].at(-1)).toBe(-1);
      }),
    );
  });
});
