import { useComputed } from '@preact/signals';
import { plural, t } from '../../protocol/language.ts';
import type { OpenSession, OpenStatus } from '../../protocol/panel/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';
import { withElements } from '../ui/words.tsx';
import { openSession } from './openSession.ts';
import { StatusMark, statusWords } from './statusMark.tsx';

/** Line about the other session that needs the user most. The history lists all first. */
export function OpenSessionsLine() {
  const { store } = usePanel();
  const shown = useComputed(() => store.session.value?.sessionId).value;
  const sessions = byUrgency(store.openSessions.value.filter(({ sessionId }) => sessionId !== shown));
  const [first] = sessions;
  const others = sessions.length - 1;
  const more = plural(others, 'one: {0} more open session | other: {0} more open sessions');
  const waiting = sessions.filter(({ status }) => status === 'waiting');
  return (
    <section class="open-sessions" aria-label={t('Other open sessions')}>
      {/* Always rendered, since a live region must exist before its text. */}
      <div class="sr-only" role="status">
        {waiting.map(({ title }) => t('{0} waits for you', title || untitled())).join('. ')}
      </div>
      {first && (
        <div class={`strip ${first.status}`}>
          <SwitchButton session={first} />
          <button
            type="button"
            class="badge"
            aria-label={others > 0 ? more : t('History')}
            title={others > 0 ? more : t('History')}
            onClick={() => (store.view.value = 'history')}
          >
            {others > 0 && `+${others}`}
            <Icon name="chevron-right" />
          </button>
        </div>
      )}
    </section>
  );
}

const untitled = () => t('New session');

function SwitchButton({ session: { sessionId, title, status } }: { readonly session: OpenSession }) {
  const { store, act } = usePanel();
  const name = title || untitled();
  return (
    <button
      type="button"
      class="strip-toggle"
      title={t('Show {0} ({1})', name, statusWords()[status].toLowerCase())}
      onClick={() => openSession(store, act, sessionId)}
    >
      <StatusMark status={status} />
      <span class="strip-text ellipsis">{withElements(t('Also open: {0}'), <bdi>{name}</bdi>)}</span>
      {(status === 'waiting' || status === 'reviewing' || status === 'failed') && (
        <span class="session-waits" aria-hidden="true">
          {statusWords()[status]}
        </span>
      )}
    </button>
  );
}

const urgency: Readonly<Record<OpenStatus, number>> = {
  waiting: 0,
  failed: 1,
  working: 2,
  reviewing: 3,
  resting: 4,
};

/** Sorts by urgency, otherwise in the order of the host. */
function byUrgency(sessions: readonly OpenSession[]): readonly OpenSession[] {
  return sessions.toSorted((a, b) => urgency[a.status] - urgency[b.status]);
}
