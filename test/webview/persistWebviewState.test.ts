import { type Signal, signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { persistWebviewState } from '../../src/webview/panel/persistWebviewState.ts';
import type { ViewSignals } from '../../src/webview/panel/views.ts';
import { emptyViewState, type WebviewState } from '../../src/webview/panel/webviewState.ts';

test('what the user writes is remembered at once, and where they scroll to with the next of it', () => {
  const store = makeStore();
  const remembered: WebviewState[] = [];
  const host = { remember: (memory: unknown) => void remembered.push(memory as WebviewState) };
  persistWebviewState(store, host, { sessionId: 'before' });
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
  readonly grouping: ReturnType<typeof signal<WebviewState['grouping']>>;
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
    views: signal<WebviewState['views']>([]),
    grouping: signal<WebviewState['grouping']>(undefined),
    page: signal(''),
  };
}
