import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { OpenAsk, OpenSession, OpenStatus, SessionEntry } from '../../protocol/panel/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { formatDate } from '../ui/format.ts';
import { hasModifier, isPlainKey, moveFocus } from '../ui/keys.ts';
import { acceptKeys } from '../ui/systemKeys.ts';
import { TitleField } from '../ui/titleField.tsx';
import { HighlightedText, useSearchPattern } from './found.tsx';
import { AskButtons, AskLines, needsUser, SessionDetailLine, TimeSince } from './openRow.tsx';
import { openSession } from './openSession.ts';
import { timeOfSession } from './sessionDays.ts';
import { StatusMark } from './statusMark.tsx';

interface SessionRowProps {
  readonly entry: SessionEntry;
  readonly status: OpenStatus | undefined;
  /** Absent if the session is not open. */
  readonly facts: OpenSession | undefined;
  /** True while the ask is so new that a press may be meant for the previous element. */
  readonly isHeld: boolean;
  readonly now: number;
  /** Id of the first row, which Enter opens from the field. */
  readonly first: string | undefined;
  /** Id of the row that Tab reaches; empty for the first. */
  readonly stop: Signal<string>;
  readonly onDecide: (entry: SessionEntry, ask: OpenAsk, kind: 'once' | 'deny') => void;
  readonly onRename: (entry: SessionEntry, title: string) => void;
  readonly onRemove: (entry: SessionEntry) => void;
}

/**
 * Row of a session. Enter opens it, with Ctrl in the editor; F2 renames, Delete deletes; the right arrow moves to
 * buttons for the same. A and R decide its ask, as on a card of the transcript.
 */
export function SessionRow(props: SessionRowProps) {
  const { entry, facts, isHeld, stop, onDecide, onRename, onRemove } = props;
  const { act } = usePanel();
  const show = useShow(entry, facts);
  const row = useRef<HTMLLIElement>(null);
  const isRenaming = useSignal(false);
  const hasActions = useSignal(false);
  const isClosedByKey = useRef(false);
  const rename = () => (isRenaming.value = true);
  useFocusOnReturn(row, props);
  useLayoutEffect(() => {
    if (isClosedByKey.current) focusSession(row.current);
    isClosedByKey.current = false;
  }, [isRenaming.value]);
  const closeField = (by: 'key' | 'leaving') => {
    isClosedByKey.current = by === 'key';
    hasActions.value = false;
    isRenaming.value = false;
  };
  const openInEditor = () => act({ type: 'session.openInEditor', sessionId: entry.sessionId });
  const decide = (kind: 'once' | 'deny') => {
    if (!facts?.ask) return;
    // A key that is held down must not decide the next ask.
    focusSession(row.current);
    onDecide(entry, facts.ask, kind);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const decision = event.repeat || hasModifier(event) ? undefined : decisions[event.key.toLowerCase()];
    const step = isPlainKey(event, 'ArrowRight') ? 1 : isPlainKey(event, 'ArrowLeft') ? -1 : undefined;
    if (step) moveFocus([...row.current!.querySelectorAll<HTMLElement>('.session, vscode-button')], step);
    else if (decision && facts?.ask?.plain) decide(decision);
    else if (isEditorKey(event)) openInEditor();
    else if (isPlainKey(event, 'F2')) rename();
    else if (isPlainKey(event, 'Delete') || isPlainKey(event, 'Backspace')) onRemove(entry);
    else return;
    event.preventDefault();
    // VS Code binds some of these keys.
    event.stopPropagation();
  };
  if (isRenaming.value)
    return (
      <li class="session-row" data-session={entry.sessionId} ref={row}>
        <TitleField
          label={t('Title of the session')}
          title={entry.title}
          onRename={title => onRename(entry, title)}
          onClose={closeField}
        />
        <SessionDetailLine {...props} />
      </li>
    );
  // Renders actions only for the hovered or focused row, so that long lists stay fast.
  const follow = (event: Event) => {
    const here = row.current;
    // A removed row gets this event without its element.
    if (!here) return;
    const isFocused = event instanceof FocusEvent && here.contains(event.relatedTarget as Node | null);
    hasActions.value = event.type === 'focusin' || isFocused || here.matches(':hover, :focus-within');
  };
  return (
    <li
      data-session={entry.sessionId}
      class={hasActions.value ? 'session-row active' : 'session-row'}
      ref={row}
      onPointerEnter={follow}
      onPointerLeave={follow}
      onFocusOut={follow}
      onFocusIn={event => {
        follow(event);
        stop.value = entry.sessionId;
      }}
      onKeyDown={onKeyDown}
      onKeyDownCapture={stopRepeated}
    >
      <SessionButton {...props} />
      {facts?.status === 'waiting' && (
        <AskButtons ask={facts.ask} isHeld={isHeld} onDecide={decide} onShow={show} />
      )}
      {hasActions.value && (
        <Actions entry={entry} onOpen={openInEditor} onRename={rename} onRemove={onRemove} />
      )}
    </li>
  );
}

const decisions: Readonly<Record<string, 'once' | 'deny'>> = { a: 'once', r: 'deny' };

function isEditorKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  const isOnRow = (target as Element).matches('.session');
  return isOnRow && key === 'Enter' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Prevents a held Enter from pressing a button of the newly focused row. */
function stopRepeated(event: KeyboardEvent): void {
  if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns a function that opens the session at its ask. */
function useShow({ sessionId }: SessionEntry, facts: OpenSession | undefined): () => void {
  const { store, act } = usePanel();
  return () => {
    if (facts?.ask) store.sought.value = { kind: 'call', id: facts.ask.callId };
    openSession(store, act, sessionId);
  };
}

/** Restores the focus of a row that mounts again, as after *Undo* or in another group. */
function useFocusOnReturn(row: RefObject<HTMLElement | null>, { entry, stop }: SessionRowProps): void {
  useLayoutEffect(() => {
    if (document.activeElement === document.body && stop.peek() === entry.sessionId)
      focusSession(row.current);
  }, []);
}

function focusSession(row: HTMLElement | null): void {
  row?.querySelector<HTMLElement>('.session')?.focus();
}

function SessionButton(props: SessionRowProps) {
  const { entry, status, facts, now, first, stop } = props;
  const { store, act } = usePanel();
  const { sessionId, title, changedAt } = entry;
  const isShown = useComputed(() => store.session.value?.sessionId === sessionId).value;
  const isOpening = useComputed(() => store.opening.value === sessionId).value;
  const tabIndex = useComputed(() => ((stop.value || first) === sessionId ? 0 : -1));
  const at = facts?.since ?? changedAt;
  const found = useSearchPattern();
  return (
    <button
      type="button"
      class={`session${isShown || isOpening ? ' current' : ''}${first === sessionId ? ' first' : ''}`}
      aria-current={isShown}
      aria-keyshortcuts={facts?.ask?.plain ? 'A R Enter F2 Delete' : 'Enter F2 Delete'}
      tabIndex={tabIndex}
      onClick={() => openSession(store, act, sessionId, store.sessions.peek()?.query)}
    >
      <span class="session-line">
        <span class="session-mark">{status && <StatusMark status={status} />}</span>
        <span class="session-title ellipsis" dir="auto" title={title}>
          {title ? <HighlightedText text={title} found={found} /> : t('Untitled')}
        </span>
        {entry.background && (
          <span class="session-time" title={t('In the background')}>
            {backgroundWords(entry.background)}
          </span>
        )}
        <span class="session-time" title={formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}>
          {needsUser(facts) ? <TimeSince at={at} now={now} /> : timeOfSession(changedAt, now)}
        </span>
      </span>
      <SessionDetailLine {...props} />
      {facts?.ask && <AskLines {...facts.ask} />}
    </button>
  );
}

function backgroundWords(status: NonNullable<SessionEntry['background']>): string {
  if (status === 'waiting') return t('Waiting for you');
  return status === 'queued' ? t('Waiting for a free slot') : t('In the background');
}

interface ActionsProps {
  readonly entry: SessionEntry;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onRemove: (entry: SessionEntry) => void;
}

function Actions({ entry, onOpen, onRename, onRemove }: ActionsProps) {
  const { act } = usePanel();
  const name = entry.title || t('Untitled');
  return (
    <span class="session-actions">
      <IconButton icon="edit" label={t('Rename {0} (F2)', name)} onPress={onRename} />
      <IconButton
        icon="export"
        label={t('Export {0}', name)}
        onPress={() => act({ type: 'session.export', sessionId: entry.sessionId })}
      />
      <IconButton
        icon="go-to-file"
        label={t('Open {0} in Editor ({1})', name, acceptKeys)}
        onPress={onOpen}
      />
      <IconButton icon="trash" label={t('Delete {0} (Delete)', name)} onPress={() => onRemove(entry)} />
    </span>
  );
}
