import { type Signal, signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { keepMemory } from '../../src/webview/panel/keepMemory.ts';
import { emptyViewState, type PageMemory } from '../../src/webview/panel/pageMemory.ts';
import type { ViewSignals } from '../../src/webview/panel/views.ts';

test('what the user writes is remembered at once, and where they scroll to with the next of it', () => {
  const store = makeStore();
  const remembered: PageMemory[] = [];
  const host = { remember: (memory: unknown) => void remembered.push(memory as PageMemory) };
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

function makeStore(): ViewSignals & {
  readonly session: ReturnType<typeof signal<PanelState | undefined>>;
  readonly grouping: ReturnType<typeof signal<PageMemory['grouping']>>;
  readonly page: Signal<string>;
} {
  return {
    session: signal<PanelState | undefined>(undefined),
    draft: signal(emptyViewState.draft),
    attachments: signal(emptyViewState.attachments),
    folds: signal(emptyViewState.folds),
    cards: signal(emptyViewState.cards),
    answers: signal(emptyViewState.answers),
    scroll: signal<number | undefined>(undefined),
    views: signal<PageMemory['views']>([]),
    grouping: signal<PageMemory['grouping']>(undefined),
    page: signal(''),
  };
}
