import { randomBytes } from 'node:crypto';
import {
  commands,
  Uri,
  type ViewBadge,
  type Webview,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import type { ToHost } from '../../../protocol/intentions.ts';
import type { Language } from '../../../protocol/language.ts';
import type { ToWebview, TranscriptMove, TranscriptPlace } from '../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { once } from '../../base/once.ts';
import type { Log } from '../../platform/log.ts';
import { readPageLanguage } from '../windowLanguage.ts';
import { PanelFeed } from './panelFeed.ts';
import { panelHtml } from './panelHtml.ts';

/**
 * The panel in the sidebar. VS Code throws the page away when the view is hidden, moved or closed and asks for
 * another one later; this object outlives all of them.
 */
export class PanelView implements WebviewViewProvider, Disposable {
  static readonly viewId = 'folio.panel';
  private readonly extension: Uri;
  private readonly log: Log;
  private readonly received = new Emitter<ToHost>();
  /** Loaded with the first page: whatever else activates Folio needs no shapes of messages. */
  private readonly parsing = once(() => import('./parseMessage.ts'));
  private view: WebviewView | undefined;
  private badge: ViewBadge | undefined;
  readonly feed: PanelFeed;
  /** Only messages that were understood. */
  readonly onDidReceive = this.received.event;

  /** @param extension the folder of the extension */
  constructor(extension: Uri, state: () => SessionState, log: Log) {
    this.extension = extension;
    this.log = log;
    this.feed = new PanelFeed(message => this.post(message), state);
  }

  /** Holds the page's files, and nothing else. */
  private get pages(): Uri {
    return Uri.joinPath(this.extension, 'dist', 'webview');
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  async resolveWebviewView(view: WebviewView): Promise<void> {
    const store = new DisposableStore();
    this.view = view;
    view.badge = this.badge;
    view.webview.options = { enableScripts: true, localResourceRoots: [this.pages] };
    store.add(view.webview.onDidReceiveMessage((message: unknown) => void this.receive(message)));
    void this.parsing();
    store.add(view.onDidChangeVisibility(() => !view.visible && this.detach()));
    view.onDidDispose(() => {
      store.dispose();
      if (this.view !== view) return;
      this.view = undefined;
      this.detach();
    });
    const language = await readPageLanguage(this.extension);
    if (this.view === view) view.webview.html = this.page(view.webview, language);
  }

  /** A number at the view's icon, also while it is hidden; 0: none. */
  count(value: number, tooltip: string): void {
    this.badge = value > 0 ? { value, tooltip } : undefined;
    if (this.view) this.view.badge = this.badge;
  }

  /** Opens the view and puts the cursor into the composer. */
  async focus(): Promise<void> {
    await commands.executeCommand(`${PanelView.viewId}.focus`);
    this.feed.deliver({ type: 'composer.focused' });
  }

  /** Opens the view without the composer taking over, for its other pages. */
  async show(page: Extract<ToWebview, { type: 'view.shown' }>['view']): Promise<void> {
    await commands.executeCommand(`${PanelView.viewId}.focus`);
    this.feed.deliver({ type: 'view.shown', view: page });
  }

  /** Opens the view at a chapter or at a call that asks. */
  async showPlace(place: TranscriptPlace): Promise<void> {
    await commands.executeCommand(`${PanelView.viewId}.focus`);
    this.feed.deliver({ type: 'place.shown', place });
  }

  /** Keys that decide count in the panel alone. */
  setFocused(isFocused: boolean): void {
    void commands.executeCommand('setContext', 'folio.panelFocused', isFocused);
  }

  /** Makes a move in the transcript, or opens the view first where it is not seen. */
  async move(move: TranscriptMove): Promise<void> {
    if (this.isVisible) this.feed.deliver({ type: 'transcript.moved', move });
    else await this.focus();
  }

  dispose(): void {
    this.feed.dispose();
    this.received.dispose();
  }

  private detach(): void {
    this.feed.detach();
    this.setFocused(false);
  }

  /** Messages that come while this is loading wait for it in their order. */
  private async receive(value: unknown): Promise<void> {
    const { parseMessage, describeMessage } = await this.parsing();
    const message = parseMessage(value);
    if (message) this.received.fire(message);
    else this.log.warn(`The panel sent a message that is not understood: ${describeMessage(value)}`);
  }

  private post(message: ToWebview): void {
    this.view?.webview
      .postMessage(message)
      .then(undefined, error => this.log.error('The panel cannot be reached', error));
  }

  private page(webview: Webview, language: Language): string {
    const locate = (name: string) => webview.asWebviewUri(Uri.joinPath(this.pages, name)).toString();
    return panelHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64url'),
      script: locate('main.js'),
      style: locate('main.css'),
      language,
    });
  }
}
