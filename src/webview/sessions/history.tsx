import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionEntry } from '../../protocol/messages.ts';
import { usePanel } from '../panel.ts';
import { IconButton, SearchField } from '../ui/controls.tsx';
import { formatAgo } from '../ui/format.ts';
import { isPlainKey, moveFocus } from '../ui/keys.ts';

export function History() {
  const { store, act } = usePanel();
  const search = useSignal('');
  const root = useRef<HTMLElement>(null);
  const sessions = store.sessions.value;
  const found = useComputed(() => findSessions(store.sessions.value ?? [], search.value)).value;
  useEffect(() => {
    act({ type: 'sessions.list' });
  }, [act]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isPlainKey(event, 'ArrowDown') ? 1 : isPlainKey(event, 'ArrowUp') ? -1 : undefined;
    if (!step) return;
    event.preventDefault();
    moveFocus([...(root.current?.querySelectorAll<HTMLElement>('.session') ?? [])], step);
  };
  return (
    <section class="history" aria-label="History" ref={root} onKeyDown={onKeyDown}>
      <div class="history-head">
        <IconButton
          icon="arrow-left"
          label="Back to the session"
          onPress={() => {
            store.view.value = 'transcript';
          }}
        />
        <h1>History</h1>
      </div>
      {sessions && sessions.length > 0 && (
        <SearchField
          label="Search sessions and chapters"
          value={search.value}
          onChange={value => {
            search.value = value;
          }}
        />
      )}
      <ul class="sessions">
        {found.map(entry => (
          <li key={entry.sessionId}>
            <Session entry={entry} now={Date.now()} />
          </li>
        ))}
      </ul>
      {sessions?.length === 0 && <p class="history-empty">No earlier sessions in this folder.</p>}
      {sessions && sessions.length > 0 && found.length === 0 && (
        <p class="history-empty">No session matches “{search.value}”.</p>
      )}
    </section>
  );
}

function Session({ entry, now }: { readonly entry: SessionEntry; readonly now: number }) {
  const { store, act } = usePanel();
  const isCurrent = entry.sessionId === store.session.value?.sessionId;
  const chapters = entry.chapters.join(' · ');
  return (
    <button
      type="button"
      class={isCurrent ? 'session current' : 'session'}
      aria-current={isCurrent}
      onClick={() => {
        act({ type: 'session.open', sessionId: entry.sessionId });
        store.view.value = 'transcript';
      }}
    >
      <span class="session-line">
        <span class="session-title ellipsis" title={entry.title}>
          {entry.title || 'Untitled'}
        </span>
        <span class="session-time" title={new Date(entry.changedAt).toLocaleString()}>
          {formatAgo(entry.changedAt, now)}
        </span>
      </span>
      {chapters && (
        <span class="session-chapters ellipsis" title={chapters}>
          {chapters}
        </span>
      )}
    </button>
  );
}

/** Every word must be somewhere in the title or in a chapter. */
function findSessions(sessions: readonly SessionEntry[], search: string): readonly SessionEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(entry => {
    const text = `${entry.title} ${entry.chapters.join(' ')}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}
