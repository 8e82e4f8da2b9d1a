import { describe, expect, it } from 'vitest';
import {
  acceptHunks,
  applyAgentWrite,
  applyUserWrites,
  baseText,
  beginReview,
  bringBackHunk,
  changesTo,
  isOverwritten,
  type LineChange,
  pendingHunks,
  presentText,
  rejectHunk,
} from '../../src/extension/review/fileReview.ts';
import type { FileReview } from '../../src/extension/review/hunk.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const change = (start: number, count: number, ...lines: string[]): LineChange => ({ start, count, lines });

function review(before: string, after: string): FileReview {
  const begun = beginReview(before);
  return applyAgentWrite(begun, changesTo(begun, after), 'c1');
}

const abc = 'a\nb\nc\nd\ne\n';

describe('a review', () => {
  it('has a hunk for each place that the agent changed', () => {
    const { hunks } = review(abc, 'a\nB\nc\nd\nx\ne\n');
    expect(
      hunks.map(({ baseStart, baseCount, start, count }) => [baseStart, baseCount, start, count]),
    ).toEqual([
      [1, 1, 1, 1],
      [4, 0, 4, 1],
    ]);
  });

  it('keeps what the user types elsewhere, whatever is decided', () => {
    const typed = applyUserWrites(review(abc, 'a\nB\nc\nd\nx\ne\n'), [
      change(2, 0, 'typed\n'),
      change(6, 0, 'end\n'),
    ]);
    expect(presentText(typed)).toBe('a\nB\ntyped\nc\nd\nx\ne\nend\n');
    expect(baseText(typed)).toBe('a\nb\ntyped\nc\nd\ne\nend\n');
    const [first, second] = typed.hunks;
    expect(presentText(rejectHunk(typed, first!.id)!)).toBe('a\nb\ntyped\nc\nd\nx\ne\nend\n');
    expect(presentText(rejectHunk(acceptHunks(typed, [first!.id]), second!.id)!)).toBe(
      'a\nB\ntyped\nc\nd\ne\nend\n',
    );
  });

  it('marks a hunk that the user wrote into', () => {
    const typed = applyUserWrites(review(abc, 'a\nB\nc\nd\ne\n'), [change(1, 1, 'mine\n')]);
    expect(typed.hunks).toMatchObject([{ touched: true, agentLines: ['B\n'] }]);
    expect(baseText(typed)).toBe(abc);
  });

  it('knows when nothing of the agent is left in a hunk, as after a branch switch', () => {
    const start = review(abc, 'a\nB\nB2\nc\nd\ne\n');
    const typed = applyUserWrites(start, [change(1, 1, 'mine\n')]);
    expect(isOverwritten(typed, typed.hunks[0]!)).toBe(false);
    const switched = applyUserWrites(start, changesTo(start, 'a\nother\nc\nd\ne\n'));
    expect(isOverwritten(switched, switched.hunks[0]!)).toBe(true);
    expect(isOverwritten(start, start.hunks[0]!)).toBe(false);
  });

  it('forgets a change that the user took back by hand, and knows it again when it is redone', () => {
    const start = review(abc, 'a\nB\nc\nd\ne\n');
    expect(applyUserWrites(start, [change(1, 1, 'b\n')]).hunks).toEqual([]);
    const typed = applyUserWrites(start, [change(1, 1, 'mine\n')]);
    expect(applyUserWrites(typed, [change(1, 1, 'B\n')]).hunks).toMatchObject([{ touched: false }]);
  });

  it('merges edits of one place and forgets those that cancel out', () => {
    const once = review(abc, 'a\nB\nc\nd\ne\n');
    const twice = applyAgentWrite(once, [change(1, 1, 'BB\n', 'BBB\n')], 'c2');
    expect(twice.hunks).toMatchObject([{ id: 1, baseCount: 1, count: 2, chapterIds: ['c1', 'c2'] }]);
    expect(applyAgentWrite(twice, [change(1, 2, 'b\n')], 'c1').hunks).toEqual([]);
  });

  it('brings a rejected hunk back', () => {
    const start = review(abc, 'a\nB\nC\nc\nd\ne\n');
    const rejected = rejectHunk(start, 1)!;
    expect(presentText(rejected)).toBe(abc);
    expect(pendingHunks(rejected)).toEqual([]);
    const typed = applyUserWrites(rejected, [change(0, 0, 'top\n')]);
    const back = bringBackHunk(typed, 1)!;
    expect(presentText(back)).toBe('top\na\nB\nC\nc\nd\ne\n');
    expect(presentText(rejectHunk(back, 1)!)).toBe(`top\n${abc}`);
  });

  it('of a new file is one hunk whose rejection leaves nothing', () => {
    const begun = beginReview(null);
    const created = applyAgentWrite(begun, changesTo(begun, 'new\nfile\n'), 'c1');
    expect(created.hunks).toHaveLength(1);
    expect(presentText(rejectHunk(created, 1)!)).toBe('');
  });

  it('does nothing for a hunk that is not there', () => {
    const start = review(abc, abc.replace('b', 'B'));
    expect(acceptHunks(start, [9])).toBe(start);
    expect(rejectHunk(start, 9)).toBeUndefined();
    expect(bringBackHunk(start, 1)).toBeUndefined();
  });
});

/** Texts in all the shapes that files have; lines are told apart by their number. */
const breaks = fc.constantFrom('\n', '\r\n', '\r');
const baseLines = fc
  .tuple(fc.array(breaks, { maxLength: 40 }), fc.boolean())
  .map(([ends, open]) =>
    ends.map((end, i) => `base${i}${open && i === ends.length - 1 ? '' : end === '\r' ? '\n' : end}`),
  );

type Act =
  | { readonly kind: 'agent'; readonly at: number; readonly count: number; readonly size: number }
  | { readonly kind: 'person'; readonly at: number; readonly count: number; readonly size: number }
  | { readonly kind: 'accept' | 'reject' | 'back'; readonly at: number };

const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
const write = (kind: 'agent' | 'person') =>
  fc.record({ kind: fc.constant(kind), at: fraction, count: fc.nat(3), size: fc.nat(3) });
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    write('agent'),
    write('person'),
    fc.record({ kind: fc.constantFrom('accept' as const, 'reject' as const, 'back' as const), at: fraction }),
  ),
  { maxLength: 25 },
);

function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[Math.floor(at * items.length)];
}

/** Plays acts; `present` is what an editor would hold, kept by plain splicing. */
function play(
  lines: readonly string[],
  script: readonly Act[],
  intoHunks: 'intoHunks' | 'beside' = 'beside',
) {
  let state = beginReview(lines.join(''));
  let present = [...state.present];
  let written = 0;
  const inHunks = (at: number, count: number) =>
    state.hunks.some(hunk => at < hunk.start + hunk.count && at + count > hunk.start);
  for (const act of script) {
    if (act.kind === 'agent' || act.kind === 'person') {
      const start = Math.floor(act.at * (present.length + 1));
      const count = Math.min(act.count, present.length - start);
      // A last line without a break cannot be followed by another line.
      if (start === present.length && present.length > 0 && !present.at(-1)!.endsWith('\n')) continue;
      const added = Array.from({ length: act.size }, () => `${act.kind}${written++}\n`);
      if (act.kind === 'person' && intoHunks === 'beside' && inHunks(start, count)) continue;
      const edit = { start, count, lines: added };
      state = act.kind === 'agent' ? applyAgentWrite(state, [edit], 'c1') : applyUserWrites(state, [edit]);
      present.splice(start, count, ...added);
      continue;
    }
    const status = act.kind === 'back' ? 'rejected' : 'pending';
    const hunk = pick(
      state.hunks.filter(other => other.status === status),
      act.at,
    );
    if (!hunk) continue;
    if (act.kind === 'accept') state = acceptHunks(state, [hunk.id]);
    else {
      state = (act.kind === 'reject' ? rejectHunk : bringBackHunk)(state, hunk.id)!;
      present = [...state.present];
    }
    if (act.kind === 'accept') expect(state.present).toEqual(present);
  }
  return { state, present };
}

/** Base and present are the same outside of pending hunks, and hunks are in order and apart. */
function checkPicture(state: FileReview): void {
  let base = 0;
  let line = 0;
  for (const hunk of state.hunks) {
    expect(hunk.baseStart - base).toBe(hunk.start - line);
    expect(hunk.start).toBeGreaterThanOrEqual(line);
    expect(state.base.slice(base, hunk.baseStart)).toEqual(state.present.slice(line, hunk.start));
    base = hunk.baseStart + hunk.baseCount;
    line = hunk.start + hunk.count;
    if (hunk.status === 'pending') continue;
    expect(state.base.slice(hunk.baseStart, base)).toEqual(state.present.slice(hunk.start, line));
  }
  expect(state.base.slice(base)).toEqual(state.present.slice(line));
}

describe('whatever agent and user do in turn', () => {
  it('the picture stays true and the text is what an editor holds', () => {
    fc.assert(
      fc.property(baseLines, acts, (lines, script) => {
        const { state, present } = play(lines, script, 'intoHunks');
        expect(state.present).toEqual(present);
        checkPicture(state);
      }),
      { numRuns: runSize({ test: 500, prove: 50_000 }) },
    );
  });

  it('accepting all leaves the text, rejecting all the base, in any order', () => {
    fc.assert(
      fc.property(baseLines, acts, fc.infiniteStream(fraction), (lines, script, chance) => {
        const { state } = play(lines, script, 'intoHunks');
        const all = (decide: (review: FileReview, id: number) => FileReview) => {
          let decided = state;
          for (let left = pendingHunks(decided); left.length > 0; left = pendingHunks(decided)) {
            decided = decide(decided, pick(left, chance.next().value!)!.id);
            checkPicture(decided);
          }
          return decided;
        };
        expect(presentText(all((each, id) => acceptHunks(each, [id])))).toBe(presentText(state));
        expect(presentText(all((each, id) => rejectHunk(each, id)!))).toBe(baseText(state));
      }),
      { numRuns: runSize({ test: 300, prove: 20_000 }) },
    );
  });

  it('a mixture of decisions gives each place what was decided for it', () => {
    fc.assert(
      fc.property(
        baseLines,
        acts,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (lines, script, yes) => {
          const { state } = play(lines, script);
          const pending = pendingHunks(state);
          let expected = '';
          let line = 0;
          pending.forEach((hunk, i) => {
            expected += state.present.slice(line, hunk.start).join('');
            const end = hunk.start + hunk.count;
            const baseEnd = hunk.baseStart + hunk.baseCount;
            expected += (
              yes[i] ? state.present.slice(hunk.start, end) : state.base.slice(hunk.baseStart, baseEnd)
            ).join('');
            line = end;
          });
          expected += state.present.slice(line).join('');
          const decided = pending.reduce(
            (each, { id }, i) => (yes[i] ? acceptHunks(each, [id]) : rejectHunk(each, id)!),
            state,
          );
          expect(presentText(decided)).toBe(expected);
        },
      ),
      { numRuns: runSize({ test: 300, prove: 20_000 }) },
    );
  });

  it('the typing of a user survives the rejection of everything', () => {
    fc.assert(
      fc.property(baseLines, acts, (lines, script) => {
        const { state } = play(lines, script);
        const typed = state.present.filter(line => line.startsWith('person'));
        // Lines that the agent replaced again are the agent's to undo, so they come back too.
        const back = baseText(state);
        for (const line of typed) expect(back).toContain(line.trimEnd());
      }),
    );
  });

  it('a rejected hunk comes back exactly as it was', () => {
    fc.assert(
      fc.property(baseLines, acts, (lines, script) => {
        const { state } = play(lines, script);
        for (const { id } of pendingHunks(state)) {
          expect(presentText(bringBackHunk(rejectHunk(state, id)!, id)!)).toBe(presentText(state));
        }
      }),
    );
  });
});
