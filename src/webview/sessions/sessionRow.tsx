import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { OpenStatus, SessionEntry } from '../../protocol/panel/sessions.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { formatDate } from '../ui/format.ts';
import { isPlainKey, moveFocus } from '../ui/keys.ts';
import { TitleField } from '../ui/titleField.tsx';
import { timeOfSession } from './sessionDays.ts';
import { StatusMark } from './statusMark.tsx';

interface SessionRowProps {
  readonly entry: SessionEntry;
  readonly status: OpenStatus | undefined;
  readonly now: number;
  /** The id of the first row. */
  readonly first: string | undefined;
  /** The id of the row that Tab comes to; empty for the first. */
  readonly stop: Signal<string>;
  readonly onRename: (entry: SessionEntry, title: string) => void;
  readonly onRemove: (entry: SessionEntry) => void;
}

/** Enter opens it, F2 renames and Delete deletes; the arrow to the right leads to the same as buttons. */
export function SessionRow(props: SessionRowProps) {
  const { entry, stop, onRename, onRemove } = props;
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
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isPlainKey(event, 'ArrowRight') ? 1 : isPlainKey(event, 'ArrowLeft') ? -1 : undefined;
    if (step) moveFocus([...row.current!.querySelectorAll<HTMLElement>('.session, .icon-button')], step);
    else if (isPlainKey(event, 'F2')) rename();
    else if (isPlainKey(event, 'Delete') || isPlainKey(event, 'Backspace')) onRemove(entry);
    else return;
    event.preventDefault();
  };
  if (isRenaming.value)
    return (
      <li class="session-row" ref={row}>
        <TitleField
          label={t('Title of the session')}
          title={entry.title}
          onRename={title => onRename(entry, title)}
          onClose={closeField}
        />
        <Chapters entry={entry} />
      </li>
    );
  // The actions are there only for the row that is pointed at or has the focus: a thousand rows stay quick.
  const follow = (event: Event) => {
    const here = row.current;
    // A row that is taken away with the focus in it loses that when it is gone.
    if (!here) return;
    const isFocused = event instanceof FocusEvent && here.contains(event.relatedTarget as Node | null);
    hasActions.value = event.type === 'focusin' || isFocused || here.matches(':hover, :focus-within');
  };
  return (
    <li
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
    >
      <SessionButton {...props} />
      {hasActions.value && <Actions entry={entry} onRename={rename} onRemove={onRemove} />}
    </li>
  );
}

/** A row that had the focus may come again: after it was brought back, or on another day. */
function useFocusOnReturn(row: RefObject<HTMLElement | null>, { entry, stop }: SessionRowProps): void {
  useLayoutEffect(() => {
    if (document.activeElement === document.body && stop.peek() === entry.sessionId)
      focusSession(row.current);
  }, []);
}

function focusSession(row: HTMLElement | null): void {
  row?.querySelector<HTMLElement>('.session')?.focus();
}

function SessionButton({ entry, status, now, first, stop }: SessionRowProps) {
  const { store, act } = usePanel();
  const { sessionId, title, changedAt } = entry;
  const isShown = useComputed(() => store.session.value?.sessionId === sessionId).value;
  const isOpening = useComputed(() => store.opening.value === sessionId).value;
  const tabIndex = useComputed(() => ((stop.value || first) === sessionId ? 0 : -1));
  const open = () => {
    store.opening.value = sessionId;
    if (isShown) store.view.value = 'transcript';
    else act({ type: 'session.open', sessionId });
  };
  return (
    <button
      type="button"
      class={isShown || isOpening ? 'session current' : 'session'}
      aria-current={isShown}
      aria-keyshortcuts="Enter F2 Delete"
      tabIndex={tabIndex}
      onClick={open}
    >
      <span class="session-line">
        <span class="session-mark">{status && <StatusMark status={status} />}</span>
        <span class="session-title ellipsis" dir="auto" title={title}>
          {title || t('Untitled')}
        </span>
        <span class="session-time" title={formatDate(changedAt, { dateStyle: 'medium', timeStyle: 'short' })}>
          {timeOfSession(changedAt, now)}
        </span>
      </span>
      <Chapters entry={entry} />
    </button>
  );
}

/** The second line of a row, which says why it was found; it stays while the first one is something else. */
function Chapters({ entry }: { readonly entry: SessionEntry }) {
  if (entry.found !== undefined)
    return (
      <span class="session-chapters ellipsis" dir="auto" title={entry.found}>
        {entry.found}
      </span>
    );
  if (entry.chapters.length === 0) return null;
  // Each stays automatically when the others are written from right to left.
  const chapters = entry.chapters.map(chapter => `\u2068${chapter}\u2069`).join(' · ');
  return (
    <span class="session-chapters ellipsis" dir="auto" title={chapters}>
      {chapters}
    </span>
  );
}

interface ActionsProps {
  readonly entry: SessionEntry;
  readonly onRename: () => void;
  readonly onRemove: (entry: SessionEntry) => void;
}

function Actions({ entry, onRename, onRemove }: ActionsProps) {
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
      <IconButton icon="trash" label={t('Delete {0} (Delete)', name)} onPress={() => onRemove(entry)} />
    </span>
  );
}
