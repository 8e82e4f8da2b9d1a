import { effect, type ReadonlySignal } from '@preact/signals';
import type { StoredDrafts } from '../../protocol/panel/messages.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { HostPort } from './host.ts';
import { saveView, type ViewSignals, viewKey } from './views.ts';
import { emptyViewState, type WebviewState } from './webviewState.ts';

type DraftSignals = ViewSignals & {
  readonly session: ReadonlySignal<PanelState | undefined>;
  readonly switches: ReadonlySignal<number>;
};

/**
 * Loads the drafts of the host, then sends it each change. The host's drafts are newer than the page's memory, except
 * for text typed since loading. Starts after the session is shown.
 */
export function syncDrafts(
  store: DraftSignals,
  host: Pick<HostPort, 'act'>,
  memory: Pick<WebviewState, 'draft' | 'sessionId' | 'views'>,
  drafts: StoredDrafts,
): void {
  const session = store.session.peek();
  if (!session) return;
  let sent = { of: viewKey(session), text: '', switches: store.switches.peek() };
  for (const [of, text] of drafts) {
    if (of !== sent.of) takeDraft(store, of, text);
    else {
      sent = { ...sent, text };
      if (store.draft.peek() === remembered(memory, of)) store.draft.value = text;
    }
  }
  effect(() => {
    const [text, shown, switches] = [store.draft.value, store.session.value, store.switches.value];
    const of = shown ? viewKey(shown) : sent.of;
    if (of === sent.of && text === sent.text) return;
    // A new session gets its id with the first prompt. Its draft moves along.
    if (of !== sent.of && switches === sent.switches)
      host.act({ type: 'panel.drafted', of: sent.of, text: '' });
    host.act({ type: 'panel.drafted', of, text });
    sent = { of, text, switches };
  });
}

function remembered(
  { draft, sessionId, views }: Pick<WebviewState, 'draft' | 'sessionId' | 'views'>,
  of: string,
) {
  if (sessionId === of || sessionId === '') return draft;
  return views.find(([key]) => key === of)?.[1].draft ?? '';
}

/** Stores the draft of a session that is not shown. */
function takeDraft({ views }: DraftSignals, of: string, draft: string): void {
  const view = views.peek().find(([key]) => key === of)?.[1];
  if (view || draft !== '') views.value = saveView(views.peek(), of, { ...(view ?? emptyViewState), draft });
}
