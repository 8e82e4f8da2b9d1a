import {
  acceptHunks,
  applyAgentWrite,
  applyUserWrites,
  baseText,
  beginReview,
  changesTo,
  presentText,
  rejectHunk,
  rejectHunks,
} from '../../../src/extension/review/fileReview.ts';
import type { FileReview } from '../../../src/extension/review/hunk.ts';
import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';

const lineCount = 20_000;
const hunkCount = 5_000;
const typed = 100;

/** Measures the hunks of a large rewritten file, which must take less than a second. */
export const hunks: Benchmark = {
  name: 'hunks',
  about: 'a review of 5,000 hunks in a file of 20,000 lines: computed, typed into, decided one by one',
  run: async ({ runs, say }) => {
    const samples = Array.from({ length: Math.max(Math.min(runs, 11), 3) }, (_, run) => {
      say(`run ${run + 1}`);
      return measure();
    });
    const row = (what: string, key: keyof Sample): Measurement => {
      return {
        benchmark: 'hunks',
        what,
        who: 'Folio',
        unit: 'ms',
        samples: samples.map(sample => sample[key]),
      };
    };
    return [
      { ...row('computing 5,000 hunks', 'compute'), limit: { kind: 'median', atMost: 1000 } },
      row('typing 100 lines between them', 'type'),
      row('accepting all at once', 'acceptAll'),
      row('rejecting all at once', 'rejectAll'),
      row('accepting all, one by one', 'accept'),
      row('rejecting all, one by one', 'reject'),
    ];
  },
};

interface Sample {
  readonly compute: number;
  readonly type: number;
  readonly acceptAll: number;
  readonly rejectAll: number;
  readonly accept: number;
  readonly reject: number;
}

function measure(): Sample {
  const before = textOf(line => `const value${line} = ${line};\n`);
  const after = textOf(line => `const value${line} = ${line % 4 === 0 ? `${line} + 1` : line};\n`);
  const [written, compute] = timed(() => {
    const begun = beginReview(before);
    return applyAgentWrite(begun, changesTo(begun, after), 'chapter');
  });
  const [review, typing] = timed(() => type(written));
  const ids = review.hunks.map(hunk => hunk.id);
  const [acceptedAtOnce, acceptAll] = timed(() => acceptHunks(review, ids));
  const [rejectedAtOnce, rejectAll] = timed(() => rejectHunks(review, ids));
  const [accepted, accept] = timed(() => ids.reduce((each, id) => acceptHunks(each, [id]), review));
  const [rejected, reject] = timed(() => ids.reduce((each, id) => rejectHunk(each, id) ?? each, review));
  check(review, accepted, rejected);
  check(review, acceptedAtOnce, rejectedAtOnce);
  return { compute, type: typing, acceptAll, rejectAll, accept, reject };
}

function timed<T>(work: () => T): readonly [result: T, ms: number] {
  const start = performance.now();
  const result = work();
  return [result, performance.now() - start];
}

/** Types between hunks, from the end of the file to its beginning. */
function type(review: FileReview): FileReview {
  let next = review;
  for (let i = typed - 1; i >= 0; i--) {
    const start = i * (lineCount / typed) + 2;
    next = applyUserWrites(next, [{ start, count: 0, lines: [`// typed ${i}\n`] }]);
  }
  return next;
}

/** Checks the results, so that no wrong work is measured. */
function check(review: FileReview, accepted: FileReview, rejected: FileReview): void {
  const isRight =
    review.hunks.length === hunkCount &&
    presentText(accepted) === presentText(review) &&
    baseText(accepted) === presentText(review) &&
    presentText(rejected) === baseText(review) &&
    review.present.length === lineCount + typed;
  if (!isRight) throw new Error('The review of many hunks came out wrong.');
}

function textOf(line: (number: number) => string): string {
  return Array.from({ length: lineCount }, (_, number) => line(number)).join('');
}
