import { effect, signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { titleOfCall } from '../../src/webview/hooks/hookRow.tsx';

test('the title of a call is looked for until it is there, and then never again', () => {
  const state = signal<SessionState>(emptySession);
  const add = (event: SessionEventBody) => {
    state.value = reduce(state.value, { ...event, seq: state.value.seq + 1, at: 1 });
  };
  let views = 0;
  const session = Object.create(state, {
    value: {
      get: () => {
        views++;
        return state.value;
      },
    },
  });
  const title = titleOfCall(session, 'c');
  const shown: (string | undefined)[] = [];
  const stop = effect(() => void shown.push(title.value));
  add({ type: 'notice.shown', level: 'info', text: 'Before' });
  add({
    type: 'call.requested',
    callId: 'c',
    stepId: 's',
    tool: 'read_file',
    effect: 'read',
    title: 'Read a.txt',
    args: {},
  });
  const before = views;
  for (let count = 0; count < 5; count++) add({ type: 'notice.shown', level: 'info', text: 'After' });
  expect(shown).toEqual([undefined, 'Read a.txt']);
  expect(views).toBe(before);
  stop();
});
