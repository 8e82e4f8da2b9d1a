import { randomBytes } from 'node:crypto';
import { Uri, type Webview, type WebviewPanel, type WebviewView } from 'vscode';
import type { Language } from '../../../protocol/language.ts';
import type { ToWebview } from '../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { readPageLanguage } from '../windowLanguage.ts';
import { PanelFeed } from './panelFeed.ts';
import { panelHtml } from './panelHtml.ts';

/** Where VS Code shows a page: in the view, or in a tab of an editor. */
type PagePlace = WebviewView | WebviewPanel;

interface PageParts {
  /** The folder of the extension. */
  readonly extension: Uri;
  readonly log: Log;
  readonly receive: (page: PanelPage, message: unknown) => void;
  readonly stateOf: (page: PanelPage) => SessionState;
  /** The page is not seen any more. */
  readonly onHide: (page: PanelPage) => void;
}

/**
 * One page of the panel. VS Code throws its document away when it is hidden, moved or closed and loads another one
 * later; this object outlives all of them.
 */
export class PanelPage implements Disposable {
  private readonly parts: PageParts;
  private place: PagePlace | undefined;
  readonly feed: PanelFeed;
  /** Names its new session among the drafts: of the side bar's page `new`, else `new:` and an id that the page remembers. */
  readonly name: string;
  /** The session shown while another page is the active one; `undefined`: a new one. */
  sessionId: string | undefined;
  isFocused = false;
  /** Origin from which the document may show pages of servers, beside this machine. */
  frames: string | undefined;

  constructor(parts: PageParts, name: string) {
    this.parts = parts;
    this.name = name;
    this.feed = new PanelFeed(
      message => this.post(message),
      () => parts.stateOf(this),
    );
  }

  get isVisible(): boolean {
    return this.place?.visible ?? false;
  }

  /** Loads the document in this place, instead of the place before. */
  async open(place: PagePlace): Promise<void> {
    const store = new DisposableStore();
    this.place = place;
    const { webview } = place;
    webview.options = { enableScripts: true, localResourceRoots: [this.folder] };
    store.add(webview.onDidReceiveMessage((message: unknown) => this.parts.receive(this, message)));
    const check = () => !place.visible && this.hide();
    store.add(
      'onDidChangeVisibility' in place
        ? place.onDidChangeVisibility(check)
        : place.onDidChangeViewState(check),
    );
    place.onDidDispose(() => {
      store.dispose();
      if (this.place !== place) return;
      this.place = undefined;
      this.hide();
    });
    await this.load(place);
  }

  /** Loads the document again, so that its policy has this origin. */
  async allowFrames(origin: string): Promise<void> {
    this.frames = origin;
    const { isFocused } = this;
    if (!this.place) return;
    this.feed.detach();
    await this.load(this.place);
    if (isFocused) this.feed.deliver({ type: 'composer.focused' });
  }

  dispose(): void {
    this.feed.dispose();
  }

  private async load(place: PagePlace): Promise<void> {
    const language = await readPageLanguage();
    if (this.place === place) place.webview.html = this.html(place.webview, language);
  }

  private hide(): void {
    this.feed.detach();
    this.isFocused = false;
    this.parts.onHide(this);
  }

  private post(message: ToWebview): void {
    this.place?.webview
      .postMessage(message)
      .then(undefined, error => this.parts.log.error('The panel cannot be reached', error));
  }

  /** Holds the page's files, and nothing else. */
  private get folder(): Uri {
    return Uri.joinPath(this.parts.extension, 'dist', 'webview');
  }

  private html(webview: Webview, language: Language): string {
    const locate = (name: string) => webview.asWebviewUri(Uri.joinPath(this.folder, name)).toString();
    return panelHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64url'),
      script: locate('main.js'),
      style: locate('main.css'),
      language,
      frames: this.frames,
    });
  }
}
