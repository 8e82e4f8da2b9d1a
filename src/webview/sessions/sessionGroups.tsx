import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { OpenStatus, SessionEntry } from '../../protocol/panel/sessions.ts';
import { statusOf } from '../../protocol/panel/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import type { SessionsListed } from '../panel/store.ts';
import { LinkButton } from '../ui/controls.tsx';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { withElements } from '../ui/words.tsx';
import { groupSessions } from './sessionDays.ts';
import { SessionRow } from './sessionRow.tsx';

export function SessionGroups() {
  const { store, act } = usePanel();
  const deleted = useSignal<readonly SessionEntry[]>([]);
  const stop = useSignal('');
  const status = useStatuses();
  const reported = store.sessions.value ?? nothingReported;
  const sessions = withDeleted(reported, deleted.value);
  useLayoutEffect(() => {
    if (!sessions.some(each => each.sessionId === stop.peek())) stop.value = '';
  }, [sessions]);
  // A user may walk down before the search is answered: what is not found then goes.
  const frame = useRef<HTMLDivElement>(null);
  useFocusInPlace(frame, '.session-row', () =>
    document.querySelector<HTMLElement>('.search-field input')?.focus(),
  );
  if (reported === nothingReported)
    return <p class="list-empty list-loading">{t('Reading the sessions…')}</p>;

  const first = sessions[0]?.sessionId;
  const change = (changed: SessionsListed) => (store.sessions.value = changed);
  const remove = (entry: SessionEntry) => {
    deleted.value = [...deleted.peek(), entry];
    act({ type: 'session.delete', sessionId: entry.sessionId });
  };
  // The host may have told the list without it in the meantime.
  const restore = (entry: SessionEntry) => {
    change({ ...reported, sessions });
    deleted.value = deleted.peek().filter(each => each.sessionId !== entry.sessionId);
    act({ type: 'session.restore', sessionId: entry.sessionId });
  };
  const rename = ({ sessionId }: SessionEntry, title: string) => {
    change(withTitle(reported, sessionId, title));
    act({ type: 'session.rename', sessionId, title });
  };
  const now = Date.now();
  return (
    <div class="sessions" ref={frame}>
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
                  entry={entry}
                  now={now}
                  first={first}
                  stop={stop}
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
        {describeEnd(reported, sessions.length)}
      </p>
    </div>
  );
}

const nothingReported: SessionsListed = { type: 'sessions.listed', query: '', sessions: [], limited: false };

/** Statuses of the sessions that are open in the window; newer than the list's. */
function useStatuses(): ReadonlyMap<string, OpenStatus> {
  const { store } = usePanel();
  const shown = useComputed(() => store.session.value?.sessionId ?? '');
  const status = useComputed(() => store.session.value && statusOf(store.session.value));
  return useComputed(() => {
    const statuses = new Map(store.openSessions.value.map(each => [each.sessionId, each.status]));
    return status.value ? statuses.set(shown.value, status.value) : statuses;
  }).value;
}

/** The line at the end of the list, or in its place. */
function describeEnd({ query, sessions, limited }: SessionsListed, count: number): string {
  if (limited)
    return query === ''
      ? t('Showing the newest {0}. Search to find older ones.', sessions.length)
      : t('Showing the newest {0} that match. Add a word to find older ones.', sessions.length);
  if (count > 0) return '';
  return query === '' ? t('No earlier sessions in this folder.') : t('No session matches “{0}”.', query);
}

/** A deleted session stays where it can be brought back, as long as the words that are searched fit it. */
export function withDeleted(
  { query, sessions }: SessionsListed,
  deleted: readonly SessionEntry[],
): readonly SessionEntry[] {
  const missing = deleted.filter(entry => fits(entry, query) && !has(sessions, entry));
  if (missing.length === 0) return sessions;
  return [...sessions, ...missing].sort((a, b) => b.changedAt - a.changedAt);
}

export function withTitle(reported: SessionsListed, sessionId: string, title: string): SessionsListed {
  const sessions = reported.sessions.map(each => (each.sessionId === sessionId ? { ...each, title } : each));
  return { ...reported, sessions };
}

function has(sessions: readonly SessionEntry[], { sessionId }: SessionEntry): boolean {
  return sessions.some(each => each.sessionId === sessionId);
}

function fits({ title, chapters }: SessionEntry, query: string): boolean {
  const text = `${title} ${chapters.join(' ')}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

interface DeletedRowProps {
  readonly entry: SessionEntry;
  readonly onRestore: (entry: SessionEntry) => void;
}

/** Stands in the place of the session, so that the way back is where the eye is. */
function DeletedRow({ entry, onRestore }: DeletedRowProps) {
  return (
    <li class={entry.chapters.length > 0 ? 'session-row deleted with-chapters' : 'session-row deleted'}>
      <span class="session-title ellipsis quiet" title={entry.title}>
        {withElements(t('Deleted: {0}'), <bdi>{entry.title || t('Untitled')}</bdi>)}
      </span>
      <LinkButton
        class="session"
        aria-label={t('Undo: delete {0}', entry.title)}
        onClick={() => onRestore(entry)}
      >
        {t('Undo')}
      </LinkButton>
    </li>
  );
}
