import { expect, test } from 'vitest';
import { TabSessions } from '../../src/extension/vscode/features/sessions/tabSessions.ts';

function openWindow(stored = new Map<string, unknown>()) {
  const memory = {
    get: <T>(key: string, otherwise?: T) => (stored.get(key) ?? otherwise) as T,
    // As a window keeps it.
    update: async (key: string, value: unknown) => void stored.set(key, JSON.parse(JSON.stringify(value))),
  };
  return { stored, sessions: new TabSessions(memory) };
}

test('after a kill, a tab has the session that it showed last', () => {
  const { stored, sessions } = openWindow();
  sessions.keep('new:a', 'first');
  sessions.keep('new:b', 'second');
  sessions.keep('new:a', 'third');
  const { sessions: again } = openWindow(stored);
  expect(again.find('new:a')).toBe('third');
  expect(again.find('new:b')).toBe('second');
  expect(again.find('new:c')).toBeUndefined();
});

test('a tab that began a new session begins one again, and a closed one is forgotten', () => {
  const { stored, sessions } = openWindow();
  sessions.keep('new:a', 'first');
  sessions.keep('new:a');
  sessions.keep('new:b', 'second');
  sessions.forget('new:b');
  const { sessions: again } = openWindow(stored);
  expect(again.find('new:a')).toBeUndefined();
  expect(again.find('new:b')).toBeUndefined();
});

test('tabs that never come back are forgotten in the end', () => {
  const { stored, sessions } = openWindow();
  for (let index = 0; index < 60; index++) sessions.keep(`new:${index}`, `session${index}`);
  const { sessions: again } = openWindow(stored);
  expect(again.find('new:0')).toBeUndefined();
  expect(again.find('new:59')).toBe('session59');
});
