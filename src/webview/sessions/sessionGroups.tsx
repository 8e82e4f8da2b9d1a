import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { OpenAsk, SessionEntry } from '../../protocol/panel/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import type { SessionsListed } from '../panel/store.ts';
import { LinkButton } from '../ui/controls.tsx';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { useMisclickGuard } from '../ui/useMisclickGuard.ts';
import { withElements, wordsMatcher } from '../ui/words.tsx';
import {
  groupByNeed,
  type Need,
  type NeedGroup,
  newestStatus,
  type OpenSessionsById,
  withOpenSessions,
} from './sessionNeeds.ts';
import { SessionRow } from './sessionRow.tsx';

export function SessionGroups() {
  const { store, act } = usePanel();
  const deleted = useSignal<readonly SessionEntry[]>([]);
  const stop = useSignal('');
  const only = useSignal<Need | undefined>(undefined);
  const open = new Map(store.openSessions.value.map(each => [each.sessionId, each]));
  const reported = store.sessions.value ?? nothingReported;
  const listed = reported.query === '' ? withOpenSessions(reported.sessions, open) : reported.sessions;
  const sessions = withDeletedSessions({ ...reported, sessions: listed }, deleted.value);
  const now = Date.now();
  const { needs, shown } = groupByNeed(sessions, open, now, only.value);
  useLayoutEffect(() => {
    if (!sessions.some(each => each.sessionId === stop.peek())) stop.value = '';
  }, [sessions]);
  // The focused row may vanish when a search is answered.
  const frame = useRef<HTMLDivElement>(null);
  /** Row that gets the focus when the answered row unmounts. */
  const next = useRef('');
  const findNext = () => rowsIn(frame.current).find(row => row.dataset.session === next.current);
  useFocusInPlace(frame, '.session-row, .session-filter', focusSearch, findNext);
  // Holds decisions after each change that may have moved another button under the pointer.
  const isHeld = useMisclickGuard(
    JSON.stringify([needs.map(keyOf(open)), only.value, deleted.value.map(idOf)]),
  );
  if (reported === nothingReported)
    return <p class="list-empty list-loading">{t('Reading the sessions…')}</p>;

  const first = shown.flatMap(group => group.sessions).find(each => !has(deleted.value, each))?.sessionId;
  const change = (changed: SessionsListed) => (store.sessions.value = changed);
  const remove = (entry: SessionEntry) => {
    next.current = '';
    deleted.value = [...deleted.peek(), { ...entry, status: newestStatus(open, entry) }];
    act({ type: 'session.delete', sessionId: entry.sessionId });
  };
  // The host may have sent the list without it meanwhile.
  const restore = (entry: SessionEntry) => {
    change({ ...reported, sessions });
    deleted.value = deleted.peek().filter(each => each.sessionId !== entry.sessionId);
    act({ type: 'session.restore', sessionId: entry.sessionId });
  };
  const rename = ({ sessionId }: SessionEntry, title: string) => {
    change(withTitle({ ...reported, sessions }, sessionId, title));
    act({ type: 'session.rename', sessionId, title });
  };
  const decide = ({ sessionId }: SessionEntry, { callId, plain }: OpenAsk, kind: 'once' | 'deny') => {
    if (isHeld || !plain) return;
    // Moves the focus to the next waiting session, if any.
    const waiting = (shown[0]?.sessions ?? []).map(idOf).filter(id => open.get(id)?.status === 'waiting');
    const at = waiting.indexOf(sessionId);
    stop.value = next.current = waiting[at + 1] ?? waiting[at - 1] ?? sessionId;
    act({ type: 'call.decide', sessionId, callId, askId: plain.askId, decision: { kind } });
  };
  return (
    <div class="sessions" ref={frame}>
      {needs.length > 0 && <NeedFilter needs={needs} only={only} />}
      {shown.map(group => (
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
                  status={newestStatus(open, entry)}
                  facts={open.get(entry.sessionId)}
                  isHeld={isHeld}
                  onDecide={decide}
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

const idOf = ({ sessionId }: SessionEntry) => sessionId;

const keyOf =
  (open: OpenSessionsById) =>
  ({ sessions }: NeedGroup) =>
    sessions.map(({ sessionId }) => [sessionId, open.get(sessionId)?.ask]);

function rowsIn(frame: HTMLElement | null): readonly HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('.session-row') ?? [])];
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('.search-field input')?.focus();
}

interface NeedFilterProps {
  readonly needs: readonly NeedGroup[];
  readonly only: Signal<Need | undefined>;
}

/** Filter buttons, one for each group. A second press shows all. */
function NeedFilter({ needs, only }: NeedFilterProps) {
  return (
    <div class="session-filters">
      {needs.map(({ need, title, sessions }) => (
        <span key={need} class="session-filter">
          <button
            type="button"
            class="badge"
            aria-pressed={only.value === need}
            onClick={() => (only.value = only.peek() === need ? undefined : need)}
          >
            {title} {sessions.length}
          </button>
        </span>
      ))}
    </div>
  );
}

const nothingReported: SessionsListed = { type: 'sessions.listed', query: '', sessions: [], limited: false };

/** Returns the line after the list, or in place of an empty one. */
function describeEnd({ query, sessions, limited }: SessionsListed, count: number): string {
  if (limited)
    return query === ''
      ? t('Showing the newest {0}. Search to find older ones.', sessions.length)
      : t('Showing the newest {0} that match. Add a word to find older ones.', sessions.length);
  if (count > 0) return '';
  return query === '' ? t('No earlier sessions in this folder.') : t('No session matches “{0}”.', query);
}

/** Adds deleted sessions that match the search, so that they can be restored. */
export function withDeletedSessions(
  { query, sessions }: SessionsListed,
  deleted: readonly SessionEntry[],
): readonly SessionEntry[] {
  const isFound = wordsMatcher(query);
  const missing = deleted.filter(
    entry => isFound(`${entry.title} ${entry.chapters.join(' ')}`) && !has(sessions, entry),
  );
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

interface DeletedRowProps {
  readonly entry: SessionEntry;
  readonly onRestore: (entry: SessionEntry) => void;
}

/** Row in place of a deleted session, with *Undo*. */
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
