import { describe, expect, test } from 'vitest';
import { DiagnosticsSettleEstimator } from '../../src/extension/vscode/ports/diagnosticsSettleEstimator.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';

/** Changes that were left alone, each answered after so long. */
function taught(...times: readonly number[]): {
  readonly pace: DiagnosticsSettleEstimator;
  readonly now: number;
} {
  const pace = new DiagnosticsSettleEstimator();
  let now = 0;
  for (const time of times) {
    pace.change(now, 'text');
    pace.report(now + time, ['text']);
    now += 60_000;
  }
  return { pace, now };
}

const many = (time: number) => Array.from({ length: 20 }, () => time);

describe('after a change', () => {
  test('slow tools are waited for longer, at once and within limits', () => {
    const waitedAfter = (time: number) => {
      const { pace, now } = taught(time, time);
      pace.change(now, 'text');
      return pace.untilSettled(now, 'text');
    };
    expect([waitedAfter(2_000), waitedAfter(5_000)]).toEqual([4_000, 6_000]);
  });

  test('the usual time is waited as long as too little is known', () => {
    const { pace, now } = taught(100, 100);
    pace.change(now, 'text');
    pace.report(now + 100, ['text']);
    expect(pace.untilSettled(now + 100, 'text')).toBe(2_400);
  });

  test('twice the time is enough that tools have needed so far, even if the first report came sooner', () => {
    const { pace, now } = taught(...many(600));
    pace.change(now, 'text');
    pace.report(now + 50, ['text']);
    expect(pace.untilSettled(now + 50, 'text')).toBe(1_150);
    expect(pace.untilSettled(now + 1_200, 'text')).toBe(0);
  });

  test('each report makes it wait for another moment', () => {
    const { pace, now } = taught(...many(100));
    pace.change(now, 'text');
    pace.report(now + 900, ['text']);
    expect(pace.untilSettled(now + 900, 'text')).toBe(400);
  });

  test('a file whose language nobody speaks about is not waited for so long', () => {
    const pace = new DiagnosticsSettleEstimator();
    pace.change(0, 'text');
    expect(pace.untilSettled(0, 'text')).toBe(700);
  });
});

test('tools that speak for the first time, of the text before, are given the time since the change', () => {
  const { pace, now } = taught(...many(1_500));
  pace.change(now, 'other');
  expect(pace.untilSettled(now, 'other')).toBeLessThanOrEqual(0);
  pace.report(now + 1_000, ['other']);
  expect(pace.untilSettled(now + 1_000, 'other')).toBe(2_000);
});

test('a change that another follows soon teaches nothing', () => {
  const pace = new DiagnosticsSettleEstimator();
  for (let now = 0; now < 20_000; now += 1_000) {
    pace.change(now, 'text');
    pace.report(now + 10, ['text']);
  }
  pace.change(20_000, 'text');
  expect(pace.untilSettled(20_000, 'text')).toBe(2_500);
});

test('tools that have lately been slower than anybody waits are not believed', () => {
  expect(taught(...many(100), 7_000, 100, 7_000, 100).pace.isSlow).toBe(false);
  const { pace, now } = taught(...many(100), 7_000, 7_000, 7_000);
  pace.change(now, 'text');
  expect(pace.isSlow).toBe(true);
});

test('what counts as calm is never older than the newest text, whenever tools answer within their time', () => {
  const runs = runSize({ test: 300, prove: 20_000 });
  const chance = chanceFrom();
  for (let run = 0; run < runs; run++) expect(tryRandomTool(chance), `seed ${seed}, run ${run}`).toEqual([]);
});

/** Edits of a tool that answers about two files, each in its own time and in order. Returns the stale answers. */
function tryRandomTool(chance: () => number): readonly string[] {
  const slowest = 50 + chance() * 2_000;
  const pace = new DiagnosticsSettleEstimator();
  pace.report(0, ['text']);
  const stale: string[] = [];
  let now = 0;
  let due: readonly { readonly at: number; readonly text: number }[] = [];
  const goOn = (until: number) => {
    for (const { at } of due.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at))
      pace.report(at, ['text']);
    due = due.filter(({ at }) => at > until);
    now = until;
  };
  for (let text = 0; text < 40; text++) {
    pace.change(now, 'text');
    // A tool that is asked again may drop what it did for the text before, or may not.
    if (chance() < 0.5) due = [];
    due = [...due, ...[0, 1].map(() => ({ at: now + chance() * slowest, text }))];
    const isHasty = chance() < 0.3;
    if (isHasty) goOn(now + chance() * 300);
    else {
      for (let rest = pace.untilSettled(now, 'text'); rest > 0; rest = pace.untilSettled(now, 'text'))
        goOn(now + rest);
      if (due.some(answer => answer.text === text)) stale.push(`text ${text}, tools of ${slowest} ms`);
      goOn(now + chance() * 5_000);
    }
  }
  return stale;
}
