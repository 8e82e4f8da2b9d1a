/*
 * A persistent list in pages of 64 items. A change copies one page and the index of pages, and the panel re-renders
 * one page, independent of the length of the session.
 */

const pageSize = 64;

export interface PagedList<T> {
  readonly length: number;
  readonly pages: readonly (readonly T[])[];
}

export const emptyPagedList: PagedList<never> = { length: 0, pages: [] };

export function pagedListOf<T>(items: readonly T[]): PagedList<T> {
  const pages: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += pageSize) pages.push(items.slice(from, from + pageSize));
  return { length: items.length, pages };
}

export function append<T>(list: PagedList<T>, item: T): PagedList<T> {
  const last = list.pages.at(-1);
  const pages =
    last && last.length < pageSize ? [...list.pages.slice(0, -1), [...last, item]] : [...list.pages, [item]];
  return { length: list.length + 1, pages };
}

/**
 * Replaces the newest item for which `change` returns a value. Returns the same list if none did. The cost grows with
 * the distance from the end, which is short for live items.
 */
export function patchNewest<T>(list: PagedList<T>, change: (item: T) => T | undefined): PagedList<T> {
  for (let p = list.pages.length - 1; p >= 0; p--) {
    const page = list.pages[p]!;
    for (let i = page.length - 1; i >= 0; i--) {
      const next = change(page[i]!);
      if (next !== undefined) return { length: list.length, pages: list.pages.with(p, page.with(i, next)) };
    }
  }
  return list;
}

/** Returns the same list and pages where `change` returned the same items. */
export function mapPagedList<T>(list: PagedList<T>, change: (item: T) => T): PagedList<T> {
  const pages = list.pages.map(page => {
    const next = page.map(change);
    return next.some((item, index) => item !== page[index]) ? next : page;
  });
  return pages.some((page, index) => page !== list.pages[index]) ? { length: list.length, pages } : list;
}

/** Drops items from the end while `drop` returns true. */
export function trimEnd<T>(list: PagedList<T>, drop: (item: T) => boolean): PagedList<T> {
  const pages = [...list.pages];
  let length = list.length;
  while (pages.length > 0) {
    const page = pages[pages.length - 1]!;
    const keep = page.findLastIndex(item => !drop(item)) + 1;
    length -= page.length - keep;
    if (keep === page.length) break;
    if (keep > 0) {
      pages[pages.length - 1] = page.slice(0, keep);
      break;
    }
    pages.pop();
  }
  return { length, pages };
}

/** Returns the items before the first for which `stop` returns true, or the same list if there is none. */
export function takeBefore<T>(list: PagedList<T>, stop: (item: T) => boolean): PagedList<T> {
  for (const [p, page] of list.pages.entries()) {
    const at = page.findIndex(stop);
    if (at < 0) continue;
    const pages = list.pages.slice(0, p);
    return { length: p * pageSize + at, pages: at > 0 ? [...pages, page.slice(0, at)] : pages };
  }
  return list;
}

export function* iterate<T>(list: PagedList<T>): Generator<T> {
  for (const page of list.pages) yield* page;
}

export function lastItem<T>(list: PagedList<T>): T | undefined {
  return list.pages.at(-1)?.at(-1);
}
