/*
 * State of the page as signals. Only facts of the host write the session; the rest is view state.
 */

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ReviewedFile } from '../../protocol/changes.ts';
import type { Attachment, RewindTarget } from '../../protocol/intentions.ts';
import type { ConnectState } from '../../protocol/panel/connecting.ts';
import type { ContextBreakdown } from '../../protocol/panel/context.ts';
import type { McpServer } from '../../protocol/panel/mcp.ts';
import type {
  Environment,
  ToWebview,
  TranscriptMove,
  TranscriptPlace,
} from '../../protocol/panel/messages.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { applyPatches, findPatches, type Patch } from '../../protocol/panel/patches.ts';
import type { OpenSession } from '../../protocol/panel/sessions.ts';
import type { Permission } from '../../protocol/permissions.ts';
import type { RestoredFile } from '../../protocol/values.ts';
import type { HostPort } from './host.ts';
import { collectPageFacts, type PageFacts } from './pageFacts.ts';
import { chaptersWithPending, type Grouping } from './pending.ts';
import { persistWebviewState } from './persistWebviewState.ts';
import { syncDrafts } from './syncDrafts.ts';
import { newestTurnId } from './turns.ts';
import { switchView, viewKey } from './views.ts';
import {
  type AnswerDraft,
  parseWebviewState,
  type SessionViewStates,
  type WebviewState,
} from './webviewState.ts';

export type PanelViewName = Extract<ToWebview, { type: 'view.shown' }>['view'];

export type CompletionReply = Extract<ToWebview, { type: 'completion.told' }>;

type InboxListed = Extract<ToWebview, { type: 'inbox.listed' }>;

export type SessionsListed = Extract<ToWebview, { type: 'sessions.listed' }>;

/** A rewind that the user is about to confirm. */
export interface Rewinding {
  readonly to: RewindTarget;
  /** `resend`: to edit the prompt and send it again. */
  readonly purpose: 'choose' | 'resend';
  /** `undefined` until the host has previewed the files. */
  readonly files?: readonly RestoredFile[];
}

export interface Store extends PageFacts {
  /** `undefined` until the first snapshot. */
  readonly session: ReadonlySignal<PanelState | undefined>;
  readonly environment: ReadonlySignal<Environment | undefined>;
  /** `undefined` until the host has listed them. */
  readonly sessions: Signal<SessionsListed | undefined>;
  /** Newest requested search. Other answers are outdated. */
  readonly sessionQuery: Signal<string>;
  /** Open sessions of this window, including the shown one. */
  readonly openSessions: ReadonlySignal<readonly OpenSession[]>;
  readonly opening: Signal<string | undefined>;
  /** Model that the user chose, until the host confirms it. */
  readonly choosingModel: Signal<string | undefined>;
  /** Number of switches to another session. */
  readonly switches: ReadonlySignal<number>;
  /** View states of sessions that are not shown. */
  readonly views: Signal<SessionViewStates>;
  /** Rules in force; `undefined` until the host has listed them. */
  readonly permissions: ReadonlySignal<readonly Permission[] | undefined>;
  /** `undefined` until the host has listed them. */
  readonly mcp: ReadonlySignal<readonly McpServer[] | undefined>;
  /** Memory inbox; `undefined` until the host has listed it. */
  readonly inbox: ReadonlySignal<InboxListed | undefined>;
  /** Ways to connect; `undefined` until the host has sent them. */
  readonly connecting: ReadonlySignal<ConnectState | undefined>;
  readonly view: Signal<PanelViewName>;
  readonly draft: Signal<string>;
  readonly attachments: Signal<readonly Attachment[]>;
  /** True if prompts run as commands of the user, without `!`. */
  readonly isShell: Signal<boolean>;
  readonly folds: Signal<Readonly<Record<string, boolean>>>;
  readonly cards: Signal<Readonly<Record<string, boolean>>>;
  /** Grouping of pending changes; `undefined`: automatic. */
  readonly grouping: Signal<Grouping | undefined>;
  /** Unsent answers by id of the call. */
  readonly answers: Signal<Readonly<Record<string, readonly AnswerDraft[]>>>;
  /** Scroll position in pixels; `undefined` follows the end. */
  readonly scroll: Signal<number | undefined>;
  /** Id of the page in its window, which the page remembers. */
  readonly page: Signal<string>;
  /** Number of requests to focus the composer. */
  readonly focusRequests: Signal<number>;
  /** Files with pending review. A new array only after a change. */
  readonly reviews: ReadonlySignal<readonly ReviewedFile[]>;
  /** Ids of chapters with pending changes. */
  readonly pendingChapters: ReadonlySignal<ReadonlySet<string>>;
  readonly rewinding: Signal<Rewinding | undefined>;
  /** Parts of the context; `undefined` while unknown or not shown. */
  readonly breakdown: Signal<ContextBreakdown | undefined>;
  readonly completion: ReadonlySignal<CompletionReply | undefined>;
  /** Hint above the composer, removed by the next key. */
  readonly hint: Signal<string>;
  /** Newest move of a command, a new object each time. */
  readonly moved: ReadonlySignal<{ readonly move: TranscriptMove } | undefined>;
  /** Place to reveal, until the transcript shows it. */
  readonly sought: Signal<TranscriptPlace | undefined>;
  /** Current time in milliseconds, updated each second while a clock is shown. */
  readonly now: ReadonlySignal<number>;
}

export function createStore(host: HostPort): Store {
  const memory = parseWebviewState(host.recall());
  const session = signal<PanelState | undefined>(undefined);
  const environment = signal<Environment | undefined>(undefined);
  const openSessions = signal<readonly OpenSession[]>([]);
  const switches = signal(0);
  const permissions = signal<readonly Permission[] | undefined>(undefined);
  const mcp = signal<readonly McpServer[] | undefined>(undefined);
  const inbox = signal<InboxListed | undefined>(undefined);
  const connecting = signal<ConnectState | undefined>(undefined);
  const moved = signal<{ readonly move: TranscriptMove } | undefined>(undefined);
  const sought = signal<TranscriptPlace | undefined>(undefined);
  const completion = signal<CompletionReply | undefined>(undefined);
  const reviews = computed(() => session.value?.reviews ?? noReviews);
  const store = {
    session,
    environment,
    openSessions,
    switches,
    permissions,
    mcp,
    inbox,
    connecting,
    moved,
    sought,
    reviews,
    completion,
    ...collectPageFacts(host),
    sessions: signal<SessionsListed | undefined>(undefined),
    sessionQuery: signal(''),
    opening: signal<string | undefined>(undefined),
    choosingModel: signal<string | undefined>(undefined),
    views: signal(memory.views),
    hint: signal(''),
    pendingChapters: computed(() => chaptersWithPending(reviews.value)),
    rewinding: signal<Rewinding | undefined>(undefined),
    breakdown: signal<ContextBreakdown | undefined>(undefined),
    view: signal<PanelViewName>('transcript'),
    draft: signal(memory.draft),
    attachments: signal(memory.attachments),
    isShell: signal(false),
    folds: signal(memory.folds),
    cards: signal(memory.cards),
    grouping: signal(memory.grouping),
    answers: signal(memory.answers),
    scroll: signal(memory.scroll),
    page: signal(memory.page),
    focusRequests: signal(0),
    now: signal(Date.now()),
  };
  const queue: Patch[] = [];
  const applyQueue = () => applyChanges(store, session, queue.splice(0));

  host.listen(fact => {
    switch (fact.type) {
      case 'session.shown':
        queue.length = 0;
        batch(() => {
          if (changeView(store, memory, fact.state)) switches.value++;
          session.value = fact.state;
        });
        return;
      case 'drafts.kept':
        store.page.value = fact.page;
        syncDrafts(store, host, memory, fact.drafts);
        return;
      case 'session.changed':
        if (queue.length === 0) onNextFrame(applyQueue);
        queue.push(...fact.patches);
        return;
      case 'environment.changed':
        environment.value = fact.environment;
        return;
      case 'sessions.listed':
        if (fact.query === store.sessionQuery.peek()) store.sessions.value = fact;
        return;
      case 'sessions.open':
        openSessions.value = fact.sessions;
        return;
      case 'permissions.listed':
        permissions.value = fact.permissions;
        return;
      case 'mcp.listed':
        mcp.value = applyPatches(mcp.peek(), findPatches(mcp.peek(), fact.servers));
        return;
      case 'inbox.listed':
        inbox.value = fact;
        return;
      case 'connect.told':
        connecting.value = fact.connecting;
        return;
      case 'attachment.added':
        store.attachments.value = addAttachment(store.attachments.value, fact.attachment);
        store.focusRequests.value++;
        return;
      case 'composer.focused':
        store.view.value = 'transcript';
        store.focusRequests.value++;
        return;
      case 'composer.filled':
        fillComposer(store, fact);
        return;
      case 'completion.told':
        completion.value = fact;
        return;
      case 'rewind.previewed':
        takePreview(store, host, fact);
        return;
      case 'context.described':
        store.breakdown.value = fact.breakdown;
        return;
      case 'transcript.moved':
        store.view.value = 'transcript';
        moved.value = { move: fact.move };
        return;
      case 'place.shown':
        store.view.value = 'transcript';
        sought.value = fact.place;
        return;
      case 'view.shown': {
        // The history button of the view's title also closes the history.
        const closes = fact.view === 'history' && store.view.peek() === 'history';
        store.view.value = closes ? 'transcript' : fact.view;
      }
    }
  });
  forgetChoice(store);
  keepTime(store);
  persistWebviewState(store, host, memory);
  return store;
}

/** Forgets the chosen model once another works or another session is shown. */
function forgetChoice({ session, choosingModel }: Store): void {
  const inForce = computed(() => `${session.value?.sessionId} ${session.value?.model}`);
  effect(() => {
    inForce.value;
    choosingModel.value = undefined;
  });
}

const noReviews: readonly ReviewedFile[] = [];

/** Inserts a text above the draft, which is kept. */
export function addToDraft({ draft }: Pick<Store, 'draft'>, text: string): void {
  draft.value = [text, draft.peek()].filter(each => each.trim() !== '').join('\n\n');
}

/** Inserts a returned prompt above the draft. */
function fillComposer(store: Store, fact: Extract<ToWebview, { type: 'composer.filled' }>): void {
  batch(() => {
    addToDraft(store, fact.text);
    store.hint.value = fact.hint ?? '';
    // A text that the user did not type must not run as a command.
    store.isShell.value = false;
    store.attachments.value = store.attachments.peek().reduce(addAttachment, fact.attachments);
    store.view.value = 'transcript';
    store.focusRequests.value++;
  });
}

/** Takes a rewind preview. To edit a prompt, it asks only if files would change. */
function takePreview(
  store: Store,
  host: HostPort,
  { to, files }: Extract<ToWebview, { type: 'rewind.previewed' }>,
): void {
  const rewinding = store.rewinding.peek();
  if (!rewinding || !isSameTarget(rewinding.to, to)) return;
  const isResting = (store.session.peek()?.activity.status ?? 'resting') === 'resting';
  if (rewinding.purpose === 'resend' && files.length === 0 && isResting) {
    store.rewinding.value = undefined;
    host.act({ type: 'rewind.do', to, scope: 'both' });
  } else store.rewinding.value = { ...rewinding, files };
}

export function isSameTarget(a: RewindTarget, b: RewindTarget): boolean {
  if (a.kind === 'turn') return b.kind === 'turn' && a.turnId === b.turnId;
  if (a.kind === 'call') return b.kind === 'call' && a.callId === b.callId;
  return b.kind === 'chapter' && a.chapterId === b.chapterId;
}

/** Adds an attachment, unless it is already attached. */
export function addAttachment(
  attachments: readonly Attachment[],
  attachment: Attachment,
): readonly Attachment[] {
  const key = JSON.stringify(attachment);
  return attachments.some(each => JSON.stringify(each) === key) ? attachments : [...attachments, attachment];
}

/** Returns the fold of the user, otherwise unfolds the newest chapter and folds others by the setting. */
export function isFolded(
  folds: Readonly<Record<string, boolean>>,
  chapter: { readonly id: string; readonly number: number },
  automatically: boolean,
): boolean {
  return chapter.number > 0 && (folds[chapter.id] ?? automatically);
}

/** Applies patches once a frame, since more may arrive than the page can draw. */
function applyChanges(
  store: Store,
  session: Signal<PanelState | undefined>,
  patches: readonly Patch[],
): void {
  const before = session.peek();
  if (!before) return;
  batch(() => {
    const after = applyPatches(before, patches);
    if (after.chapters.length > before.chapters.length) keepReadChapterOpen(store, before);
    if (newestTurnId(after) !== newestTurnId(before)) unfoldLastChapter(store, before);
    session.value = after;
  });
}

/** Unfolds the last chapter, so that the answer to a new prompt is visible. */
function unfoldLastChapter(store: Store, { chapters }: PanelState): void {
  const id = chapters.at(-1)?.id;
  const folds = store.folds.peek();
  if (id !== undefined && folds[id] === true) store.folds.value = { ...folds, [id]: false };
}

/** Keeps a chapter unfolded if the user has scrolled up to read. */
function keepReadChapterOpen(store: Store, before: PanelState): void {
  const read = before.chapters.at(-1)!;
  if (store.scroll.peek() === undefined || read.number === 0 || read.id in store.folds.peek()) return;
  store.folds.value = { ...store.folds.peek(), [read.id]: false };
}

/** Restores the view state if another session is shown. Returns true then. */
function changeView(store: Store, memory: WebviewState, next: PanelState): boolean {
  const before = store.session.peek();
  const from = before ? viewKey(before) : memory.sessionId;
  const isSame = before?.sessionId === next.sessionId || from === viewKey(next) || from === '';
  if (!isSame) {
    if (before) keepReadChapterOpen(store, before);
    switchView(store, from, viewKey(next));
    store.rewinding.value = undefined;
    store.breakdown.value = undefined;
    store.isShell.value = false;
    store.hint.value = '';
    // The history stays open, since the user may have deleted the shown session there.
    if (store.view.peek() === 'permissions') store.view.value = 'transcript';
  }
  if (store.opening.peek() === next.sessionId) {
    store.opening.value = undefined;
    store.view.value = 'transcript';
    store.focusRequests.value++;
  }
  return !isSame;
}

/** Runs work in the next frame, or without one in a hidden page, whose queue would otherwise grow. */
function onNextFrame(work: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(once, 200);
  const frame = requestAnimationFrame(once);
}

function keepTime(store: Store & { readonly now: Signal<number> }): void {
  effect(() => {
    const isResting = (store.session.value?.activity.status ?? 'resting') === 'resting';
    if (isResting && store.session.value?.compression?.status !== 'running' && !showsTimes(store)) return;
    store.now.value = Date.now();
    const timer = setInterval(() => (store.now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  });
}

function showsTimes({ view, mcp, comparison, openSessions }: Store): boolean {
  const { attempts = [] } = comparison.value?.comparison ?? {};
  if (view.value === 'comparison') return attempts.some(({ facts }) => facts?.since !== undefined);
  if (view.value === 'history') return openSessions.value.some(({ status }) => status !== 'resting');
  return view.value === 'mcp' && (mcp.value ?? []).some(({ status }) => status.kind === 'retrying');
}
