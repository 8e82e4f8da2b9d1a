import { expect, test } from 'vitest';
import { type OpenStatus, openStatusOf } from '../../src/protocol/panel/sessions.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';

const hunk = (status: 'pending' | 'rejected') =>
  ({ status }) as SessionState['reviews'][number]['hunks'][number];
const file = (...hunks: readonly ReturnType<typeof hunk>[]) =>
  ({ path: 'a.ts', hunks }) as unknown as SessionState['reviews'][number];
const ended = (kind: 'failed' | 'stopped') =>
  [{ items: { pages: [[{ type: 'end', end: { kind } }]] } }] as unknown as SessionState['chapters'];

test.each<[string, Partial<SessionState>, OpenStatus]>([
  ['a session without changes', {}, 'resting'],
  ['one with a pending hunk', { reviews: [file(hunk('rejected')), file(hunk('pending'))] }, 'reviewing'],
  ['one whose hunks were all rejected', { reviews: [file(hunk('rejected'))] }, 'resting'],
  ['one whose turn ended in an error', { chapters: ended('failed') }, 'failed'],
  ['one whose turn was stopped', { chapters: ended('stopped') }, 'resting'],
  [
    'one that works, whatever waits for review',
    { activity: { status: 'working' } as SessionState['activity'], reviews: [file(hunk('pending'))] },
    'working',
  ],
])('%s has its status', (_, state, status) => {
  expect(openStatusOf({ ...emptySession, ...state })).toBe(status);
});
