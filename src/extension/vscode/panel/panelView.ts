import { randomUUID } from 'node:crypto';
import {
  commands,
  type Selection,
  type Uri,
  type ViewBadge,
  type WebviewPanel,
  type WebviewView,
  type WebviewViewProvider,
  window,
} from 'vscode';
import type { ToHost } from '../../../protocol/intentions.ts';
import type { ToWebview, TranscriptMove, TranscriptPlace } from '../../../protocol/panel/messages.ts';
import type { OpenSession } from '../../../protocol/panel/sessions.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { once } from '../../base/once.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelFeed } from './panelFeed.ts';
import { PanelPage } from './panelPage.ts';

/** Sessions of the background host, which pages show while they go on there. */
interface HostedSessions {
  /** Those of this workspace, as they are sent to pages. */
  readonly open: readonly OpenSession[];
  /** Undefined for a page that shows a session of the window. */
  stateOf(page: PanelPage): SessionState | undefined;
  has(sessionId: string): boolean;
  /** False when it does not run there. */
  show(sessionId: string, page: PanelPage): Promise<boolean>;
  /** The same after a reload, also while the host comes up. Never rejects. */
  restore(sessionId: string, page: PanelPage): Promise<boolean>;
  /** The page shows the window's session again. */
  leave(page: PanelPage): void;
  /** True when the message was meant for such a session, and the window has nothing to do. */
  take(message: ToHost, page: PanelPage): Promise<boolean>;
}

interface Received {
  readonly message: ToHost;
  readonly page: PanelPage;
}

/**
 * The panel: a page in the side bar, and one in each tab that it was opened in. Each shows a session of its own. The
 * page that was used last is the active one: its session is the window's, and commands mean it.
 */
export class PanelView implements WebviewViewProvider, Disposable {
  static readonly viewId = 'folio.panel';
  private readonly extension: Uri;
  private readonly session: ActiveSession;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly received = new Emitter<Received>();
  /** Loaded with the first page: whatever else activates Folio needs no shapes of messages. */
  private readonly parsing = once(() => import('./parseMessage.ts'));
  private readonly describing = once(() => import('../../../protocol/panel/openFacts.ts'));
  private readonly sidebar: PanelPage;
  private readonly tabs = new Map<PanelPage, WebviewPanel>();
  private active: PanelPage;
  /** Messages are taken one after the other, since one may make another page the active one first. */
  private taking: Promise<void> = Promise.resolve();
  /** The focus comes back to the panel after an input of VS Code's. */
  private returning: Promise<unknown> = Promise.resolve();
  /** The selection as the focus left the panel: another object once the cursor has moved. */
  private selectionThen: Selection | undefined;
  private view: WebviewView | undefined;
  private badge: ViewBadge | undefined;
  /** Set once the background host was heard of. */
  hosted: HostedSessions | undefined;
  /** Sets `hosted` where a host has sessions. */
  loadHosted: (() => Promise<void>) | undefined;
  /** Only messages that were understood. */
  readonly onDidReceive = this.received.event;

  /** @param extension the folder of the extension */
  constructor(extension: Uri, session: ActiveSession, log: Log) {
    this.extension = extension;
    this.session = session;
    this.log = log;
    this.sidebar = this.makePage('new');
    this.active = this.sidebar;
    session.showHosted = id => this.showsHosted(this.sidebar, id);
    const { opened } = session;
    const changed = (reported: { session: { id: string } }) => this.changed(reported.session.id);
    this.store.add(opened.onEvent(changed));
    this.store.add(opened.onAgentEvent(changed));
    this.store.add(opened.onDidChange(() => this.refresh()));
    this.store.add(opened.onDidAdvance(() => this.listOpen()));
    this.store.add(session.onDidSwitch(() => this.refresh()));
  }

  /** The feed of the active page. */
  get feed(): PanelFeed {
    return this.active.feed;
  }

  /** The focus is in the panel. */
  get isUsed(): boolean {
    return this.pages.some(page => page.isFocused);
  }

  get isVisible(): boolean {
    return this.active.isVisible;
  }

  async resolveWebviewView(view: WebviewView): Promise<void> {
    this.view = view;
    view.badge = this.badge;
    void this.parsing();
    await this.sidebar.open(view);
  }

  /**
   * Shows a session in a tab, which is the active page from then on.
   * @param sessionId absent: a new session
   * @param name of its page before a reload
   */
  async openTab(tab: WebviewPanel, sessionId: string | undefined, name?: string): Promise<void> {
    const page = this.makePage(name ?? `new:${randomUUID()}`);
    page.sessionId = sessionId;
    this.tabs.set(page, tab);
    tab.onDidChangeViewState(() => tab.active && this.queue(() => this.activate(page)));
    tab.onDidDispose(() => this.closeTab(page));
    void this.parsing();
    if (tab.active) await this.queue(() => this.activate(page));
    this.refresh();
    await page.open(tab);
  }

  /** Its session is in the background host: the page shows that, and none of the window. */
  async showsHosted(page: PanelPage, sessionId = page.sessionId): Promise<boolean> {
    if (sessionId === undefined || this.session.opened.find(sessionId)) return false;
    await this.loadHosted?.();
    if (!(await this.hosted?.restore(sessionId, page))) return false;
    page.sessionId = undefined;
    return true;
  }

  /** The side bar shows a new session, once the present one has moved to a tab. */
  leaveSidebar(): void {
    this.sidebar.sessionId = undefined;
    this.hosted?.leave(this.sidebar);
    this.session.forgetLast();
    this.refresh();
  }

  /** The session that the active page shows, in the window or in the background host. */
  get shownId(): string | undefined {
    return this.stateOf(this.active).sessionId || undefined;
  }

  /** The session of the side bar that can be seen. */
  get sidebarId(): string | undefined {
    return this.sidebar.isVisible ? this.stateOf(this.sidebar).sessionId || undefined : undefined;
  }

  get isTabActive(): boolean {
    return this.active !== this.sidebar;
  }

  /** Returns the session that this page shows. */
  sessionOf(page: PanelPage) {
    return page === this.active ? this.session.present : this.session.opened.find(page.sessionId);
  }

  /** Brings the tab to the front that shows this session, else shows it in the active page. Returns whether in that. */
  async showSession(sessionId: string): Promise<boolean> {
    if (this.revealTab(sessionId)) return false;
    if (await this.hosted?.show(sessionId, this.active)) return true;
    await this.session.switchTo(sessionId);
    return true;
  }

  /** The active page shows a new session. */
  startNew(): Promise<void> {
    this.hosted?.leave(this.active);
    return this.session.startNew();
  }

  /** Brings the tab to the front that shows this session and is not the active page. False where there is none. */
  revealTab(sessionId: string): boolean {
    const found = [...this.tabs].find(([page]) => page !== this.active && page.sessionId === sessionId);
    found?.[1].reveal();
    return found !== undefined;
  }

  /** The sessions that are open in the window or in the background, as they are sent to pages. */
  async describeOpen(): Promise<ToWebview> {
    const { describeOpen } = await this.describing();
    const sessions = [...describeOpen(this.session.opened.asked), ...(this.hosted?.open ?? [])];
    return { type: 'sessions.open', sessions };
  }

  /** Sends a fact to every page. */
  notify(messageFor: (page: PanelPage) => ToWebview): void {
    for (const page of this.pages) page.feed.notify(messageFor(page));
  }

  /** A number at the view's icon, also while it is hidden; 0: none. */
  count(value: number, tooltip: string): void {
    this.badge = value > 0 ? { value, tooltip } : undefined;
    if (this.view) this.view.badge = this.badge;
  }

  /** Opens the panel and puts the cursor into the composer. */
  async focus(): Promise<void> {
    await this.reveal();
    this.feed.deliver({ type: 'composer.focused' });
  }

  /** VS Code gives the focus to the editor after an input of its own: a page that had it before gets it back. */
  async keepFocus<T>(ask: () => Promise<T>): Promise<T> {
    // One that is still on its way back would close the next input.
    await this.returning;
    // No editor was used since the focus left the panel: its menu may have it.
    const isNext = this.isVisible && this.selectionThen === window.activeTextEditor?.selection;
    const wasUsed = this.isUsed || isNext;
    try {
      return await ask();
    } finally {
      if (wasUsed) {
        const revealed = this.reveal();
        this.returning = revealed.catch(() => undefined);
        await revealed;
      }
    }
  }

  /** Opens the panel without the composer taking over, for its other pages. */
  async show(page: Extract<ToWebview, { type: 'view.shown' }>['view']): Promise<void> {
    await this.reveal();
    this.feed.deliver({ type: 'view.shown', view: page });
  }

  /** Opens the panel at a chapter or at a call that asks. */
  async showPlace(place: TranscriptPlace): Promise<void> {
    await this.reveal();
    this.feed.deliver({ type: 'place.shown', place });
  }

  /** Keys that decide count in the panel alone. */
  setFocused(page: PanelPage, isFocused: boolean): void {
    page.isFocused = isFocused;
    this.selectionThen = window.activeTextEditor?.selection;
    void commands.executeCommand('setContext', 'folio.panelFocused', this.isUsed);
  }

  /** Makes a move in the transcript, or opens the panel first where it is not seen. */
  async move(move: TranscriptMove): Promise<void> {
    if (this.isVisible) this.feed.deliver({ type: 'transcript.moved', move });
    else await this.focus();
  }

  dispose(): void {
    this.store.dispose();
    for (const page of this.pages) page.dispose();
    this.received.dispose();
  }

  private get pages(): readonly PanelPage[] {
    return [this.sidebar, ...this.tabs.keys()];
  }

  private makePage(name: string): PanelPage {
    const parts = {
      extension: this.extension,
      log: this.log,
      receive: (page: PanelPage, message: unknown) => this.queue(() => this.take(page, message)),
      stateOf: (page: PanelPage) => this.stateOf(page),
      onHide: (page: PanelPage) => this.setFocused(page, false),
    };
    return new PanelPage(parts, name);
  }

  stateOf(page: PanelPage): SessionState {
    return this.hosted?.stateOf(page) ?? this.sessionOf(page)?.state ?? this.session.blank;
  }

  /** Brings the active page to the front. */
  async reveal(): Promise<void> {
    const tab = this.tabs.get(this.active);
    if (tab) tab.reveal();
    else await commands.executeCommand(`${PanelView.viewId}.focus`);
  }

  /** Messages that come while the parser loads wait for it in their order. */
  private async take(page: PanelPage, value: unknown): Promise<void> {
    const { parseMessage, describeMessage } = await this.parsing();
    const message = parseMessage(value);
    if (!message) {
      this.log.warn(`The panel sent a message that is not understood: ${describeMessage(value)}`);
      return;
    }
    if (isUse(message)) await this.activate(page);
    if (!(await this.hosted?.take(message, page))) this.received.fire({ message, page });
  }

  private queue(work: () => Promise<void>): Promise<void> {
    this.taking = this.taking.then(work).catch(error => this.log.error('The panel failed', error));
    return this.taking;
  }

  /** The window's session becomes that of this page. */
  private async activate(page: PanelPage): Promise<void> {
    if (page === this.active) return;
    const { session } = this;
    this.active.sessionId = session.presentId;
    this.active = page;
    session.isRemembered = page === this.sidebar;
    await this.showsHosted(page);
    await session.switchTo(page.sessionId).catch(error => {
      session.reportRefused(error);
      return session.startNew();
    });
  }

  /** Its session continues, and is found in the history. */
  private closeTab(page: PanelPage): void {
    this.tabs.delete(page);
    this.hosted?.leave(page);
    page.dispose();
    if (page === this.active) void this.queue(() => this.activate(this.sidebar));
    else this.refresh();
  }

  private changed(sessionId: string): void {
    for (const page of this.pages) if (this.sessionOf(page)?.id === sessionId) page.feed.changed();
  }

  /** Some page may show another session now, or one with another title. */
  refresh(): void {
    const { opened } = this.session;
    opened.setPinned(this.pages.flatMap(page => this.sessionOf(page)?.id ?? []));
    for (const [page, tab] of this.tabs) tab.title = this.stateOf(page).title || 'Folio';
    this.listOpen();
  }

  private listOpen(): void {
    this.describeOpen()
      .then(open => this.notify(() => open))
      .catch(error => this.log.error('The open sessions could not be listed', error));
  }
}

/** Messages about the page itself (`panel.…`) take nothing over, but for one that says that it got the focus. */
function isUse(message: ToHost): boolean {
  if ('isFocused' in message) return message.isFocused;
  return !message.type.startsWith('panel.');
}
