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
import { InputFocus } from './inputFocus.ts';
import type { PanelFeed } from './panelFeed.ts';
import { PanelPage } from './panelPage.ts';

/** Sessions of the background host, which pages show while they run there. */
interface HostedSessions {
  /** Sessions of this workspace, as sent to pages. */
  readonly open: readonly OpenSession[];
  /** Returns `undefined` for a page that shows a session of the window. */
  stateOf(page: PanelPage): SessionState | undefined;
  has(sessionId: string): boolean;
  /** Returns false if it does not run there. */
  show(sessionId: string, page: PanelPage): Promise<boolean>;
  /** Like `show`, for use after a reload, also while the host starts. Never rejects. */
  restore(sessionId: string, page: PanelPage): Promise<boolean>;
  /** Lets the page show the window's session again. */
  leave(page: PanelPage): void;
  /** Returns true if the message was for such a session, so that the window must not handle it. */
  take(message: ToHost, page: PanelPage): Promise<boolean>;
}

interface Received {
  readonly message: ToHost;
  readonly page: PanelPage;
}

/**
 * The panel: a page in the side bar, and one in each tab. Each shows its own session. The last used page is active: its
 * session is the window's, and commands apply to it.
 */
export class PanelView implements WebviewViewProvider, Disposable {
  static readonly viewId = 'folio.panel';
  readonly extension: Uri;
  private readonly session: ActiveSession;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly received = new Emitter<Received>();
  /** Loaded with the first page: other activations of Folio need no message parsers. */
  private readonly parsing = once(() => import('./parseMessage.ts'));
  private readonly describing = once(() => import('../../../protocol/panel/openFacts.ts'));
  readonly sidebar: PanelPage;
  private readonly tabs = new Map<PanelPage, WebviewPanel>();
  active: PanelPage;
  /** Handles messages in sequence, since one may first activate another page. */
  private taking: Promise<void> = Promise.resolve();
  private readonly inputs = new InputFocus(this);
  /** The selection when the panel lost the focus. A new object means that the cursor has moved. */
  private selectionThen: Selection | undefined;
  private view: WebviewView | undefined;
  private badge: ViewBadge | undefined;
  /** Set once the background host has been contacted. */
  hosted: HostedSessions | undefined;
  /** Sets `hosted` if a host has sessions. */
  loadHosted: (() => Promise<void>) | undefined;
  /** Fires only for valid messages. */
  readonly onDidReceive = this.received.event;

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

  /** True while the panel has the focus. */
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
   * Shows a session in a tab, which becomes the active page.
   * @param sessionId absent for a new session
   * @param name of its page, also after a reload
   */
  async openTab(tab: WebviewPanel, sessionId: string | undefined, name: string): Promise<void> {
    const page = this.makePage(name);
    page.sessionId = sessionId;
    this.tabs.set(page, tab);
    tab.onDidChangeViewState(() => tab.active && this.queue(() => this.activate(page)));
    tab.onDidDispose(() => this.closeTab(page));
    void this.parsing();
    if (tab.active) await this.queue(() => this.activate(page));
    this.refresh();
    await page.open(tab);
  }

  /** Shows the page's session from the background host, if it runs there. */
  async showsHosted(page: PanelPage, sessionId = page.sessionId): Promise<boolean> {
    if (sessionId === undefined || this.session.opened.find(sessionId)) return false;
    await this.loadHosted?.();
    if (!(await this.hosted?.restore(sessionId, page))) return false;
    page.sessionId = undefined;
    return true;
  }

  /** Shows a new session in the side bar after the present one has moved to a tab. */
  leaveSidebar(): void {
    this.sidebar.sessionId = undefined;
    this.hosted?.leave(this.sidebar);
    this.session.forgetLast();
    this.refresh();
  }

  /** Id of the session that the active page shows, in the window or in the background host. */
  get shownId(): string | undefined {
    return this.stateOf(this.active).sessionId || undefined;
  }

  get pages(): readonly PanelPage[] {
    return [this.sidebar, ...this.tabs.keys()];
  }

  /** Returns the session that this page shows. */
  sessionOf(page: PanelPage) {
    return page === this.active ? this.session.present : this.session.opened.find(page.sessionId);
  }

  /** Reveals the tab that shows this session, else shows it in the active page. Returns true in the latter case. */
  async showSession(sessionId: string): Promise<boolean> {
    if (this.revealTab(sessionId)) return false;
    if (await this.hosted?.show(sessionId, this.active)) return true;
    await this.session.switchTo(sessionId);
    return true;
  }

  /** Shows a new session in the active page. */
  startNew(): Promise<void> {
    this.hosted?.leave(this.active);
    return this.session.startNew();
  }

  /** Reveals an inactive tab that shows this session. Returns false if there is none. */
  revealTab(sessionId: string): boolean {
    const found = [...this.tabs].find(([page]) => page !== this.active && page.sessionId === sessionId);
    found?.[1].reveal();
    return found !== undefined;
  }

  /** Describes the sessions open in the window or in the background, for pages. */
  async describeOpen(): Promise<ToWebview> {
    const { describeOpenSessions } = await this.describing();
    const sessions = [...describeOpenSessions(this.session.opened.asked), ...(this.hosted?.open ?? [])];
    return { type: 'sessions.open', sessions };
  }

  notify(messageFor: (page: PanelPage) => ToWebview): void {
    for (const page of this.pages) page.feed.notify(messageFor(page));
  }

  /** Sets the badge of the view's icon, visible even if the view is hidden; 0 for none. */
  count(value: number, tooltip: string): void {
    this.badge = value > 0 ? { value, tooltip } : undefined;
    if (this.view) this.view.badge = this.badge;
  }

  /** Opens the panel and focuses the composer. */
  focus(): Promise<void> {
    return this.inputs.show({ type: 'composer.focused' });
  }

  /** Does so after the input that is open, since the user did not just ask for it. */
  focusLate(): Promise<void> {
    return this.inputs.showLate({ type: 'composer.focused' });
  }

  /** Restores the focus of the page after one of VS Code's inputs, which would focus the editor. */
  keepFocus<T>(ask: () => Promise<T>): Promise<T> {
    // The cursor has not moved since the panel lost the focus, so its menu may have it.
    const isNext = () => this.isVisible && this.selectionThen === window.activeTextEditor?.selection;
    return this.inputs.keep(() => this.isUsed || isNext(), ask);
  }

  /** Opens another view of the panel, without focusing the composer. */
  show(view: Extract<ToWebview, { type: 'view.shown' }>['view']): Promise<void> {
    return this.inputs.show({ type: 'view.shown', view });
  }

  /** Opens the panel at a chapter or at a call that asks. */
  showPlace(place: TranscriptPlace): Promise<void> {
    return this.inputs.show({ type: 'place.shown', place });
  }

  /** Key bindings for decisions apply only while the panel has the focus. */
  setFocused(page: PanelPage, isFocused: boolean): void {
    page.isFocused = isFocused;
    this.selectionThen = window.activeTextEditor?.selection;
    void commands.executeCommand('setContext', 'folio.panelFocused', this.isUsed);
  }

  /** Moves in the transcript, or first opens the panel if it is hidden. */
  async move(move: TranscriptMove): Promise<void> {
    if (this.isVisible) this.feed.deliver({ type: 'transcript.moved', move });
    else await this.focus();
  }

  dispose(): void {
    this.store.dispose();
    for (const page of this.pages) page.dispose();
    this.received.dispose();
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

  /** Reveals the active page. */
  async reveal(): Promise<void> {
    const tab = this.tabs.get(this.active);
    if (tab) tab.reveal();
    else await commands.executeCommand(`${PanelView.viewId}.focus`);
  }

  /** Messages that arrive while the parser loads are queued. */
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

  /** Makes the session of this page the window's. */
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

  /** The session of the tab continues, and is listed in the history. */
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

  /** Call when a page may show another session, or a title has changed. */
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

/** Messages about the page itself (`panel.…`) do not activate it, except for a gained focus. */
function isUse(message: ToHost): boolean {
  if ('isFocused' in message) return message.isFocused;
  return !message.type.startsWith('panel.');
}
