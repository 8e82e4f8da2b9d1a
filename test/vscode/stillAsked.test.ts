import { describe, expect, test } from 'vitest';
import {
  isFailureAskCurrent,
  isRestingAtEnd,
  unchangedPaths,
} from '../../src/extension/vscode/panel/handlers/stillAsked.ts';
import type { ReviewedFile } from '../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';

function fold(...bodies: readonly SessionEventBody[]): SessionState {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: index })).reduce(reduce, emptySession);
}

const begun: SessionEventBody = { type: 'turn.started', turnId: 't1', text: 'go', attachments: [] };

function asked(askId: string): SessionEventBody {
  const failure = {
    askId,
    model: 'strong',
    kind: 'terminal',
    message: 'No quota.',
    candidate: 'fast',
  } as const;
  return { type: 'model.asked', turnId: 't1', failure };
}

const again: SessionEventBody = { type: 'model.decided', turnId: 't1', decision: 'retry' };

describe('a decision about a model that failed', () => {
  test('counts for the question that was shown', () => {
    expect(isFailureAskCurrent(fold(begun, asked('one')), 'one')).toBe(true);
  });

  test('does not count for the next one, which looks alike', () => {
    expect(isFailureAskCurrent(fold(begun, asked('one'), again, asked('two')), 'one')).toBe(false);
  });

  test('does not count once it was taken', () => {
    expect(isFailureAskCurrent(fold(begun, asked('one'), again), 'one')).toBe(false);
  });
});

function limited(turnId: string): SessionEventBody {
  const budget = { kind: 'money', scope: 'session', limit: 5, used: 5.1 } as const;
  return { type: 'turn.ended', turnId, end: { kind: 'budget', budget } };
}

describe('continuing', () => {
  const first = fold(begun, limited('t1'));
  const shown = endOf(first);

  test('counts for the limit that was shown, and what is told after it changes nothing', () => {
    expect(isRestingAtEnd(first, shown)).toBe(true);
    const reported: SessionEventBody = { type: 'notice.shown', level: 'info', text: 'Saved.' };
    expect(isRestingAtEnd(fold(begun, limited('t1'), reported), shown)).toBe(true);
  });

  test('does not count while the agent works on already', () => {
    expect(isRestingAtEnd(fold(begun, limited('t1'), { type: 'turn.retried', turnId: 't2' }), shown)).toBe(
      false,
    );
  });

  test('does not grant the next limit, which nobody has seen', () => {
    const retried: SessionEventBody = { type: 'turn.retried', turnId: 't2' };
    expect(isRestingAtEnd(fold(begun, limited('t1'), retried, limited('t2')), shown)).toBe(false);
  });
});

describe('a decision about changes', () => {
  const reviewed = (path: string, present: string): ReviewedFile => ({
    path,
    shown: path,
    change: 'modified',
    base: 'blob-0',
    present,
    hunks: [],
  });
  const shown = [
    { path: 'a', present: 'blob-1' },
    { path: 'b', present: 'blob-1' },
    { path: 'gone', present: 'blob-1' },
  ];

  test('holds for the files that are as they were shown, and for none that came or was written since', () => {
    const reviews = [reviewed('a', 'blob-1'), reviewed('b', 'blob-2'), reviewed('new', 'blob-1')];
    expect(unchangedPaths(shown, { reviews })).toEqual(['a']);
  });
});

function endOf(state: SessionState): string {
  const items = state.chapters.flatMap(chapter => chapter.items.pages.flat());
  return items.find(({ type }) => type === 'end')!.id;
}
