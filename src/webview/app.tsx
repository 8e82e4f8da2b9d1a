import { useComputed, useSignalEffect } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../protocol/language.ts';
import { Announcer } from './announcer.tsx';
import { denyKeys, heldHint, noLastingChoiceHint } from './approval/decisionKeys.ts';
import { ComparisonPage } from './comparison/comparison.tsx';
import { Composer } from './composer/composer.tsx';
import { ConnectPage } from './connect/connect.tsx';
import { InboxPage } from './inbox/inbox.tsx';
import { McpPage } from './mcp/mcpPage.tsx';
import { usePanel } from './panel/panel.ts';
import type { PanelViewName } from './panel/store.ts';
import { PermissionsPage } from './permissions/permissionsPage.tsx';
import { HistoryPage } from './sessions/historyPage.tsx';
import { OpenSessionsLine } from './sessions/openSessionsLine.tsx';
import { StatisticsPage } from './statistics/statistics.tsx';
import { Strips } from './strips.tsx';
import { Transcript } from './transcript/transcript.tsx';
import { Icon } from './ui/icon.tsx';
import { focusPrompt, keepFocus } from './ui/keepFocus.ts';
import { isPlainKey } from './ui/keys.ts';

export function App() {
  const { store, act } = usePanel();
  const isLoaded = useComputed(() => store.session.value !== undefined);
  const page = useComputed(() => pageOf(store.view.value));
  const status = useComputed(() => store.session.value?.activity.status ?? 'resting');

  // Popups and fields that close on Escape stop the event first.
  useEffect(() => {
    const stopOnEscape = (event: KeyboardEvent) => {
      if (!isPlainKey(event, 'Escape') || event.defaultPrevented) return;
      if (store.view.value !== 'transcript') store.view.value = 'transcript';
      else if (status.value === 'waiting' && store.hint.value !== stopHint()) store.hint.value = stopHint();
      else if (status.value !== 'resting') {
        act({ type: 'turn.stop' });
        store.hint.value = '';
        focusPrompt();
      }
    };
    window.addEventListener('keydown', stopOnEscape);
    return () => window.removeEventListener('keydown', stopOnEscape);
  }, [store, act, status]);

  useSignalEffect(() => {
    const ofCards = [stopHint(), heldHint(), noLastingChoiceHint()];
    if (status.value !== 'waiting' && ofCards.includes(store.hint.peek())) store.hint.value = '';
  });

  useEffect(keepFocus, []);

  if (!isLoaded.value) return <Loading />;
  return (
    <main class="app">
      {page.value === 'history' ? (
        <HistoryPage />
      ) : page.value === 'permissions' ? (
        <PermissionsPage />
      ) : page.value === 'mcp' ? (
        <McpPage />
      ) : page.value === 'inbox' ? (
        <InboxPage />
      ) : page.value === 'comparison' ? (
        <ComparisonPage />
      ) : page.value === 'statistics' ? (
        <StatisticsPage />
      ) : page.value === 'connect' ? (
        <ConnectPage />
      ) : (
        <>
          <h1 class="sr-only">Folio</h1>
          <OpenSessionsLine />
          {/* The key resets unfinished actions with each session. The composer keeps focus and caret. */}
          <Fragment key={store.switches.value}>
            <Transcript />
            <Strips />
          </Fragment>
          <Composer key="composer" />
        </>
      )}
      <Announcer />
    </main>
  );
}

/** Shown after a first Escape, so that leaving a menu does not stop a turn that asks. */
const stopHint = () => t('Escape again stops, {0} denies.', denyKeys);

/** Returns the page of a view. The outline belongs to the transcript. */
function pageOf(view: PanelViewName) {
  return view === 'outline' ? 'transcript' : view;
}

function Loading() {
  return (
    <main class="app loading" aria-busy="true">
      <Icon name="loading" class="spin" />
      <span class="sr-only">{t('Loading the session')}</span>
    </main>
  );
}
