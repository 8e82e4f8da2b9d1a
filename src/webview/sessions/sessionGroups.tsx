import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { OpenStatus, SessionEntry } from '../../protocol/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import type { SessionsTold } from '../panel/store.ts';
import { DeletedRow } from './deletedRow.tsx';
import { groupSessions } from './sessionDays.ts';
import { has, withDeleted, withTitle } from './sessionList.ts';
import { SessionRow } from './sessionRow.tsx';
import { statusOf } from './statusMark.tsx';

export function SessionGroups() {
  const { store, act } = usePanel();
  const deleted = useSignal<readonly SessionEntry[]>([]);
  const stop = useSignal('');
  const status = useStatuses();
  const told = store.sessions.value ?? nothingTold;
  const sessions = withDeleted(told, deleted.value);
  useLayoutEffect(() => {
    if (!sessions.some(each => each.sessionId === stop.peek())) stop.value = '';
  }, [sessions]);
  if (told === nothingTold) return <p class="list-empty list-loading">Reading the sessions…</p>;

  const first = sessions[0]?.sessionId;
  const change = (changed: SessionsTold) => {
    store.sessions.value = changed;
  };
  const remove = (entry: SessionEntry) => {
    deleted.value = [...deleted.peek(), entry];
    act({ type: 'session.delete', sessionId: entry.sessionId });
  };
  // The host may have told the list without it in the meantime.
  const restore = (entry: SessionEntry) => {
    change({ ...told, sessions });
    deleted.value = deleted.peek().filter(each => each.sessionId !== entry.sessionId);
    act({ type: 'session.restore', sessionId: entry.sessionId });
  };
  const rename = ({ sessionId }: SessionEntry, title: string) => {
    change(withTitle(told, sessionId, title));
    act({ type: 'session.rename', sessionId, title });
  };
  const now = Date.now();
  return (
    <div class="sessions">
      {groupSessions(sessions, now).map(group => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.sessions.map(entry =>
              has(deleted.value, entry) ? (
                <DeletedRow key={`deleted ${entry.sessionId}`} entry={entry} onRestore={restore} />
              ) : (
                <SessionRow
                  key={entry.sessionId}
                  {...{ entry, now, first, stop }}
                  status={status.get(entry.sessionId) ?? entry.status}
                  onRename={rename}
                  onRemove={remove}
                />
              ),
            )}
          </ul>
        </section>
      ))}
      <p class="list-empty" role="status">
        {describeEnd(told, sessions.length)}
      </p>
    </div>
  );
}

const nothingTold: SessionsTold = { type: 'sessions.listed', query: '', sessions: [], limited: false };

/** Of what is open in the window; newer than what the list says. */
function useStatuses(): ReadonlyMap<string, OpenStatus> {
  const { store } = usePanel();
  const shown = useComputed(() => store.session.value?.sessionId ?? '');
  const status = useComputed(() => store.session.value && statusOf(store.session.value));
  return useComputed(() => {
    const statuses = new Map(store.openSessions.value.map(each => [each.sessionId, each.status]));
    return status.value ? statuses.set(shown.value, status.value) : statuses;
  }).value;
}

/** What stands where the list ends, or in its place. */
function describeEnd({ query, sessions, limited }: SessionsTold, count: number): string {
  if (limited)
    return query === ''
      ? `Showing the newest ${sessions.length}. Search to find older ones.`
      : `Showing the newest ${sessions.length} that match. Add a word to find older ones.`;
  if (count > 0) return '';
  return query === '' ? 'No earlier sessions in this folder.' : `No session matches “${query}”.`;
}
