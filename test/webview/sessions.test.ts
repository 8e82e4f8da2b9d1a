import { expect, test } from 'vitest';
import type { Attachment } from '../../src/protocol/intentions.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import type { SessionsListed } from '../../src/webview/panel/store.ts';
import { saveView, viewKey } from '../../src/webview/panel/views.ts';
import {
  emptyViewState,
  parseWebviewState,
  type SessionViewState,
  type SessionViewStates,
  withoutExcessImages,
} from '../../src/webview/panel/webviewState.ts';
import { groupSessions, timeOfSession } from '../../src/webview/sessions/sessionDays.ts';
import { withDeletedSessions, withTitle } from '../../src/webview/sessions/sessionGroups.tsx';
import { shownState } from '../panel/journal.ts';
import { entry, freshSession, session } from '../panel/sessionScenes.ts';

/** A Saturday. */
const now = new Date(2026, 10, 21, 9, 30).getTime();
const at = (year: number, month: number, day: number, hour = 12) =>
  new Date(year, month - 1, day, hour).getTime();

function titlesOf(...times: readonly number[]): readonly string[] {
  const sessions = times.map((changedAt, index) => entry(String(index), { changedAt }));
  return groupSessions(sessions, now).map(({ title, sessions: { length } }) => `${title}: ${length}`);
}

test('sessions stand under the day, the week or the month of their last change', () => {
  expect(
    titlesOf(
      now,
      at(2026, 11, 21, 0),
      at(2026, 11, 20, 23),
      at(2026, 11, 19),
      at(2026, 11, 16, 0),
      at(2026, 11, 15, 23),
      at(2026, 11, 9, 0),
      at(2026, 11, 8, 23),
      at(2026, 11, 1),
      at(2026, 10, 31),
      at(2025, 11, 30),
    ),
  ).toEqual([
    'Today: 2',
    'Yesterday: 1',
    'This week: 2',
    'Last week: 2',
    'November: 2',
    'October: 1',
    'November 2025: 1',
  ]);
});

test('yesterday is the day before, also on the first day of a week and after a clock that was set back', () => {
  const monday = new Date(2026, 10, 23, 0, 5).getTime();
  const sessions = [
    entry('a', { changedAt: monday - 600_000 }),
    entry('b', { changedAt: monday - 90_000_000 }),
  ];
  expect(groupSessions(sessions, monday).map(({ title }) => title)).toEqual(['Yesterday', 'Last week']);
  expect(titlesOf(now + 3 * 86_400_000)).toEqual(['Today: 1']);
});

test('a time says what the title above leaves open', () => {
  expect(timeOfSession(now - 300_000, now)).toBe('5 min ago');
  expect(timeOfSession(at(2026, 11, 20, 12), now)).toMatch(/12/);
  expect(timeOfSession(at(2026, 11, 19), now)).toBe(
    new Date(at(2026, 11, 19)).toLocaleDateString([], { weekday: 'short' }),
  );
  expect(timeOfSession(at(2026, 10, 7), now)).toMatch(/7/);
});

function reported(query: string, ...ids: readonly string[]): SessionsListed {
  const sessions = ids.map((id, index) => entry(id, { changedAt: now - index }));
  return { type: 'sessions.listed', query, sessions, limited: false };
}

const idsOf = (sessions: readonly { readonly sessionId: string }[]) => sessions.map(each => each.sessionId);

test('what was deleted stays in its place while the search fits it', () => {
  const gone = entry('gone', { title: 'Fix the Total', chapters: ['Rounding'], changedAt: now - 0.5 });
  expect(idsOf(withDeletedSessions(reported('', 'a', 'b'), [gone]))).toEqual(['a', 'gone', 'b']);
  expect(idsOf(withDeletedSessions(reported('rounding  total', 'a'), [gone]))).toEqual(['a', 'gone']);
  expect(idsOf(withDeletedSessions(reported('cents', 'a'), [gone]))).toEqual(['a']);
  expect(idsOf(withDeletedSessions(reported('', 'gone', 'b'), [gone]))).toEqual(['gone', 'b']);
});

test('a new title is shown before the host lists it', () => {
  const { sessions } = withTitle(reported('', 'a', 'b'), 'b', 'Invoices');
  expect(sessions.map(({ title }) => title)).toEqual(['Session a', 'Invoices']);
});

test('what is written before the first prompt belongs to no session', () => {
  const keyOf = (state: SessionState) => viewKey(shownState(state));
  expect(keyOf(freshSession('a'))).toBe(keyOf(freshSession('b')));
  expect(keyOf(emptySession)).toBe(keyOf(freshSession('b')));
  expect(keyOf(session('a'))).toBe('a');
  // A picture alone gives no title.
  expect(keyOf(session('a', ''))).toBe('a');
});

test('of many sessions the oldest one is forgotten in which nothing was written', () => {
  const view = (draft: string): SessionViewState => ({ ...emptyViewState, draft });
  let views: SessionViewStates = [];
  for (let index = 0; index < 20; index++)
    views = saveView(views, `s${index}`, view(index === 0 ? 'Kept' : ''));
  views = saveView(views, 's20', view('New'));
  expect(views).toHaveLength(20);
  expect(views.map(([key]) => key)).toEqual(expect.arrayContaining(['s0', 's2', 's20']));
  expect(views.map(([key]) => key)).not.toContain('s1');
  expect(saveView(views, 's0', view('Again')).at(-1)).toEqual(['s0', view('Again')]);
});

test('a memory of an earlier version, or of none, is read as far as it goes', () => {
  expect(parseWebviewState(undefined)).toEqual({
    ...emptyViewState,
    scroll: undefined,
    page: '',
    sessionId: '',
    views: [],
  });
  expect(parseWebviewState({ draft: 'Hello', folds: null, views: [['a', { draft: 3 }]] })).toMatchObject({
    draft: 'Hello',
    folds: {},
    views: [['a', emptyViewState]],
  });
});

test('images that are too much to keep go from the other sessions first', () => {
  const image = (size: number): Attachment => ({
    kind: 'image',
    name: 'Screenshot',
    blob: { mimeType: 'image/png', data: 'x'.repeat(size) },
  });
  const file: Attachment = { kind: 'file', path: 'a.ts' };
  const other: SessionViewState = { ...emptyViewState, attachments: [image(900_000), file] };
  const memory = {
    ...emptyViewState,
    sessionId: 'a',
    page: '',
    attachments: [image(200_000)],
    views: [['b', other]],
  } as const;
  const kept = withoutExcessImages(memory);
  expect(kept.attachments).toHaveLength(1);
  expect(kept.views[0]![1].attachments).toEqual([file]);
  expect(withoutExcessImages({ ...memory, attachments: [] }).views[0]![1].attachments).toHaveLength(2);
});
