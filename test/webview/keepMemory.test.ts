import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { keepMemory } from '../../src/webview/panel/keepMemory.ts';
import type { LookSignals } from '../../src/webview/panel/looks.ts';
import { emptyLook, type Memory } from '../../src/webview/panel/memory.ts';

test('what the person writes is remembered at once, and where they scroll to with the next of it', () => {
  const store = makeStore();
  const remembered: Memory[] = [];
  const host = { remember: (memory: unknown) => void remembered.push(memory as Memory) };
  keepMemory(store, host, { sessionId: 'before' });
  expect(remembered).toEqual([]);

  store.draft.value = 'Fix';
  expect(remembered.at(-1)).toMatchObject({ draft: 'Fix', sessionId: 'before' });
  store.scroll.value = 120;
  expect(remembered).toHaveLength(1);
  store.answers.value = { ask: [{ taken: [], words: 'Both', isOther: true }] };
  expect(remembered.at(-1)).toMatchObject({
    draft: 'Fix',
    scroll: 120,
    answers: { ask: [{ words: 'Both' }] },
  });
});

function makeStore(): LookSignals & {
  readonly session: ReturnType<typeof signal<PanelState | undefined>>;
  readonly grouping: ReturnType<typeof signal<Memory['grouping']>>;
} {
  return {
    session: signal<PanelState | undefined>(undefined),
    draft: signal(emptyLook.draft),
    attachments: signal(emptyLook.attachments),
    folds: signal(emptyLook.folds),
    cards: signal(emptyLook.cards),
    answers: signal(emptyLook.answers),
    scroll: signal<number | undefined>(undefined),
    looks: signal<Memory['looks']>([]),
    grouping: signal<Memory['grouping']>(undefined),
  };
}
