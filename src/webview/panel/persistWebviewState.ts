import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { HostPort } from './host.ts';
import { type ViewSignals, viewKey, viewOf } from './views.ts';
import { type WebviewState, withoutExcessImages } from './webviewState.ts';

/** Maximum delay of saving. The page may be hidden at any time. */
const rememberAfterMs = 250;

type RememberedSignals = ViewSignals & {
  readonly session: ReadonlySignal<PanelState | undefined>;
  readonly grouping: ReadonlySignal<WebviewState['grouping']>;
  readonly page: ReadonlySignal<string>;
};

/**
 * Saves the state of the page with VS Code, which destroys the page when the view is hidden. In a browser it is written
 * only seconds later, so drafts go to the host, too (`syncDrafts.ts`).
 */
export function persistWebviewState(
  store: RememberedSignals,
  host: Pick<HostPort, 'remember'>,
  recalled: Pick<WebviewState, 'sessionId'>,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const memoryNow = (): WebviewState => {
    const session = store.session.value;
    const sessionId = session ? viewKey(session) : recalled.sessionId;
    const [views, grouping, page] = [store.views.value, store.grouping.value, store.page.value];
    return { ...viewOf(store), sessionId, views, grouping, page };
  };
  const remember = () => {
    clearTimeout(timer);
    timer = undefined;
    host.remember(withoutExcessImages(untracked(memoryNow)));
  };
  effect(() => {
    memoryNow();
    timer ??= setTimeout(remember, rememberAfterMs);
  });
  let isFirst = true;
  // Saves text at once, since the next key may leave the page.
  effect(() => {
    for (const written of [store.draft, store.attachments, store.answers]) void written.value;
    if (!isFirst) remember();
    isFirst = false;
  });
}
