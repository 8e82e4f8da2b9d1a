import { expect, test } from 'vitest';
import { InputFocus } from '../../src/extension/vscode/panel/inputFocus.ts';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';

/** One of VS Code's inputs, which stays open until it is left. */
function openInput(focus: InputFocus, isUsed: boolean) {
  const closing = new AbortController();
  const ended = focus.keep(
    () => isUsed,
    () => new Promise<void>(resolve => closing.signal.addEventListener('abort', () => resolve())),
  );
  return async () => {
    await Promise.resolve();
    closing.abort();
    await ended;
  };
}

function panel() {
  const did: string[] = [];
  const deliver = ({ type }: ToWebview) => void did.push(type);
  const focus = new InputFocus({ feed: { deliver }, reveal: async () => void did.push('revealed') });
  return { did, focus };
}

test('the panel has the focus again after an input, if it had it before', async () => {
  const { did, focus } = panel();
  await openInput(focus, false)();
  expect(did).toEqual([]);
  await openInput(focus, true)();
  expect(did).toEqual(['revealed']);
});

test('a focus that comes late from something earlier leaves an open input alone, and is not lost', async () => {
  const { did, focus } = panel();
  // The mode is picked while the key that was typed before is still tried.
  const closeMode = openInput(focus, false);
  await Promise.resolve();
  await focus.showLate({ type: 'composer.focused' });
  expect(did).toEqual([]);
  await closeMode();
  expect(did).toEqual(['revealed', 'composer.focused']);
  await focus.show({ type: 'view.shown', view: 'mcp' });
  expect(did.slice(2)).toEqual(['revealed', 'view.shown']);
});

test('a focus that the user asks for comes at once, whatever is open', async () => {
  const { did, focus } = panel();
  const close = openInput(focus, false);
  await Promise.resolve();
  await focus.show({ type: 'composer.focused' });
  expect(did).toEqual(['revealed', 'composer.focused']);
  await close();
  expect(did).toHaveLength(2);
});

test('an input that ends late leaves a later one alone', async () => {
  const { did, focus } = panel();
  const [closeFirst, closeSecond] = [openInput(focus, true), openInput(focus, true)];
  await closeFirst();
  expect(did).toEqual([]);
  await closeSecond();
  expect(did).toEqual(['revealed']);
});

test('an input waits until the focus of the one before is back', async () => {
  let finishReveal = () => {};
  const focus = new InputFocus({
    feed: { deliver: () => {} },
    reveal: () => new Promise(resolve => (finishReveal = resolve)),
  });
  const close = openInput(focus, true);
  await Promise.resolve();
  const left = close();
  await Promise.resolve();
  await Promise.resolve();
  let isOpen = false;
  const next = focus.keep(
    () => false,
    async () => {
      isOpen = true;
    },
  );
  await Promise.resolve();
  expect(isOpen).toBe(false);
  finishReveal();
  await Promise.all([left, next]);
  expect(isOpen).toBe(true);
});
