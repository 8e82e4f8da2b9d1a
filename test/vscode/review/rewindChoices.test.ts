import { describe, expect, test } from 'vitest';
import {
  describeRestoredFiles,
  rewindChoices,
  scopeChoices,
} from '../../../src/extension/vscode/review/rewindChoices.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import type { RestoredFile } from '../../../src/protocol/values.ts';

function play(...events: readonly SessionEventBody[]) {
  return events.reduce(
    (state, event, i) => reduce(state, { ...event, seq: i + 1, at: 1000 * (i + 1) }),
    emptySession,
  );
}

const file = (result: RestoredFile['result'], added = 0, removed = 0): RestoredFile => ({
  path: 'a.txt',
  result,
  added,
  removed,
});

describe('going back', () => {
  test('offers prompts, then titled chapters, the newest first', () => {
    const state = play(
      { type: 'turn.started', turnId: 't1', text: 'Fix\nthe bug', attachments: [] },
      { type: 'chapter.started', chapterId: 'c1', title: 'Fixing' },
      { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
      { type: 'turn.started', turnId: 't2', text: 'Now the tests', attachments: [] },
      { type: 'chapter.started', chapterId: 'c2', title: 'Testing' },
    );
    expect(rewindChoices(state).map(({ kind, label }) => [kind, label])).toEqual([
      ['turn', 'Now the tests'],
      ['turn', 'Fix the bug'],
      ['chapter', '2 Testing'],
      ['chapter', '1 Fixing'],
    ]);
    expect(rewindChoices(emptySession)).toEqual([]);
  });

  test('offers files only when some would change', () => {
    expect(scopeChoices([]).map(({ scope }) => scope)).toEqual(['conversation']);
    expect(scopeChoices([file('restored')]).map(({ scope }) => scope)).toEqual([
      'both',
      'files',
      'conversation',
    ]);
  });

  test('says in numbers what would happen to files', () => {
    expect(describeRestoredFiles([file('restored', 3, 1), file('merged', 1, 0), file('deleted')])).toBe(
      '2 files restored (+4 −1), your own later edits kept in 1, 1 file deleted',
    );
    expect(describeRestoredFiles([file('conflict'), file('lost')])).toBe('2 files not changed');
  });
});
