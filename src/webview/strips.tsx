/* Lines between transcript and composer, each shown only while it applies. */

import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plural, t } from '../protocol/language.ts';
import { OpenCompressionView } from './compression/openCompressionView.tsx';
import { WorkspaceConsentCard } from './consent/workspaceConsentCard.tsx';
import { InboxStrip } from './inbox/inboxStrip.tsx';
import { describeMissing } from './models/needs.ts';
import { useDriver, usePanel } from './panel/panel.ts';
import { ProgramsStrip } from './programs/programsStrip.tsx';
import { Queue } from './queue/queue.tsx';
import { ReviewStrip } from './review/reviewStrip.tsx';
import { TodoList } from './transcript/calls/todoList.tsx';
import { LinkButton } from './ui/controls.tsx';
import { Icon } from './ui/icon.tsx';
import type { IconName } from './ui/icons.ts';
import { useCardOpen } from './ui/useCardOpen.ts';
import { useMisclickGuard } from './ui/useMisclickGuard.ts';

const strips = [
  Environment,
  BackgroundStrip,
  WorktreeStrip,
  ContainerStrip,
  WorkspaceConsentCard,
  Todos,
  ProgramsStrip,
  ReviewStrip,
  OpenComments,
  OpenCompressionView,
  InboxStrip,
  Queue,
];

/** Long enough for a second press that was meant for the first target. */
const keepPlaceMs = 2000;

/**
 * Prevents presses on elements that just moved under the pointer. A pressed strip keeps its space until the pointer
 * leaves, or for a moment after it became empty; after any other move the strips ignore presses for a moment.
 */
export function Strips() {
  const area = useRef<HTMLDivElement>(null);
  const height = useSignal(0);
  const isHeld = useMisclickGuard(`${height.value}`);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => (height.value = area.current?.offsetHeight ?? 0));
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);
  const places = () => [...(area.current?.children ?? [])].filter(child => child instanceof HTMLElement);
  const keepPlace = ({ target }: Event) => {
    const pressed = places().find(place => place.contains(target as Node));
    if (!pressed) return;
    pressed.style.minHeight = `${pressed.offsetHeight}px`;
    const observer = new MutationObserver(() => {
      observer.disconnect();
      setTimeout(giveBack, keepPlaceMs);
    });
    observer.observe(pressed, { childList: true, subtree: true });
  };
  const giveBack = () => {
    for (const { style } of places()) style.minHeight = '';
  };
  return (
    <div
      ref={area}
      class={isHeld ? 'strips held' : 'strips'}
      onPointerDown={keepPlace}
      onPointerLeave={giveBack}
    >
      {strips.map((Each, index) => (
        <div key={index}>
          <Each />
        </div>
      ))}
    </div>
  );
}

function Environment() {
  const { store, act } = usePanel();
  const environment = store.environment.value;
  const driver = useDriver();
  if (!environment) return null;
  const isFirstRun = environment.connection === 'none' && driver === undefined;
  const hasItems = Boolean(store.session.value?.title);
  const connect = () => (store.view.value = 'connect');
  return (
    <>
      {!environment.trusted && (
        <Strip
          kind="strip-note"
          icon="shield"
          action={t('Manage trust')}
          onPress={() => act({ type: 'trust.manage' })}
        >
          {t('Restricted Mode: Folio can read and answer, not edit or run.')}
        </Strip>
      )}
      {environment.connection === 'rehearsal' && (
        <Strip kind="strip-note" icon="info" action={t('Connect a model')} onPress={connect}>
          {t('Rehearsal: scripted answers, no model connected.')}
        </Strip>
      )}
      {environment.keyProblem && (
        <Strip
          kind="strip-note"
          icon="key"
          action={t('Set API key')}
          onPress={() => act({ type: 'key.set' })}
        >
          {environment.keyProblem}
        </Strip>
      )}
      {isFirstRun && hasItems && (
        <Strip kind="strip-note" icon="info" action={t('Connect a model')} onPress={connect}>
          {describeMissing(environment)}
        </Strip>
      )}
    </>
  );
}

/** Shown for a session that runs in the background host. */
function BackgroundStrip() {
  const { store, act } = usePanel();
  const sessionId = useComputed(() => store.session.value?.sessionId).value;
  const hosted = useComputed(() => store.openSessions.value.find(each => each.sessionId === sessionId)).value;
  if (!sessionId || !hosted?.background) return null;
  const bringBack = () => act({ type: 'session.bringBack', sessionId });
  return (
    <Strip
      icon="server"
      kind="strip-background"
      title={t('It continues when you close the window.')}
      action={t('Bring Back')}
      onPress={bringBack}
    >
      {hosted.background === 'queued' ? t('Waiting for a free slot') : t('In the background')}
    </Strip>
  );
}

/** Shows the worktree of the session, with the next action. */
function WorktreeStrip() {
  const { store, act } = usePanel();
  const worktree = useComputed(() => store.session.value?.worktree).value;
  if (!worktree) return null;
  const { name, path, settled } = worktree;
  const home = { label: t('Bring Home'), onPress: () => act({ type: 'worktree.bringHome' }) };
  const changes = { label: t('Changes'), onPress: () => act({ type: 'worktree.listChanges' }) };
  const merge = { label: t('Let the Agent Merge'), onPress: () => act({ type: 'worktree.update' }) };
  const remove = { label: t('Remove Worktree'), onPress: () => act({ type: 'worktree.remove' }) };
  const isDone = settled?.left === 0;
  const inConflict = settled?.conflicts ?? 0;
  const [before, main] = isDone ? [undefined, remove] : inConflict > 0 ? [merge, home] : [changes, home];
  return (
    <Strip
      icon="git-branch"
      kind="strip-worktree"
      title={t('Worktree {0}', path)}
      before={before}
      action={main.label}
      onPress={main.onPress}
    >
      {name}
      {isDone && <span class="quiet"> · {t('nothing would be lost')}</span>}
      {inConflict > 0 && (
        <span class="quiet">
          {' · '}
          {plural(inConflict, 'one: {0} conflict | other: {0} conflicts')}
        </span>
      )}
    </Strip>
  );
}

/** Shows the container of the session's commands. */
function ContainerStrip() {
  const { store, act } = usePanel();
  const container = useComputed(() => store.session.value?.container).value;
  if (!container) return null;
  const leave = () => act({ type: 'container.leave' });
  const title = t(
    "Commands run in the container, without Folio's sandbox. Your folder is {0} there.",
    container.inside,
  );
  return (
    <Strip icon="vm" kind="strip-worktree" title={title} action={t('Leave Container')} onPress={leave}>
      {t('Container')} <bdi class="quiet">{container.inside}</bdi>
    </Strip>
  );
}

function Todos() {
  const { store } = usePanel();
  const todos = useComputed(() => store.session.value?.todos ?? []).value;
  const [isOpen, toggle] = useCardOpen('todos', false);
  if (todos.length === 0) return null;
  const done = todos.filter(todo => todo.status === 'completed' || todo.status === 'cancelled').length;
  // A completed list stays until the next prompt.
  const progress =
    done === todos.length
      ? plural(done, 'one: {0} to-do done | other: All {0} to-dos done')
      : plural(todos.length, 'one: {1} of {0} to-do | other: {1} of {0} to-dos', done);
  const current = todos.find(todo => todo.status === 'in_progress')?.description;
  return (
    <div class="strip-todos">
      <button type="button" class="strip" aria-expanded={isOpen} title={current} onClick={toggle}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="strip-text ellipsis">
          {progress}
          {current && !isOpen && <span class="quiet"> · {current}</span>}
        </span>
      </button>
      {isOpen && <TodoList todos={todos} />}
    </div>
  );
}

function OpenComments() {
  const { store, act } = usePanel();
  const count = useComputed(() => store.session.value?.openComments ?? 0).value;
  if (count === 0) return null;
  return (
    <Strip icon="edit" action={t('Send')} onPress={() => act({ type: 'comments.send' })}>
      {plural(count, 'one: {0} open comment | other: {0} open comments')}
    </Strip>
  );
}

interface StripProps {
  readonly icon: IconName;
  readonly action: string;
  readonly onPress: () => void;
  /** Secondary action, shown first. */
  readonly before?: { readonly label: string; readonly onPress: () => void };
  readonly title?: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

function Strip({ icon, action, onPress, before, title, kind = '', children }: StripProps) {
  return (
    <div class={`strip ${kind}`}>
      <Icon name={icon} class="quiet" />
      <span class="strip-text" title={title}>
        {children}
      </span>
      <span class="strip-actions">
        {before && (
          <LinkButton key={before.label} onClick={before.onPress}>
            {before.label}
          </LinkButton>
        )}
        {/* The key makes a new button for each action, so that a focused one does not change its effect unnoticed. */}
        <LinkButton key={action} onClick={onPress}>
          {action}
        </LinkButton>
      </span>
    </div>
  );
}
