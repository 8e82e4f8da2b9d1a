import { randomBytes } from 'node:crypto';
import { Uri, type Webview, type WebviewOptions, type WebviewPanel, type WebviewView } from 'vscode';
import type { Language } from '../../../protocol/language.ts';
import type { ToWebview } from '../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { readPageLanguage } from '../windowLanguage.ts';
import { PanelFeed } from './panelFeed.ts';
import { panelHtml } from './panelHtml.ts';

/** Location of a page in VS Code: the view, or an editor tab. */
type PagePlace = WebviewView | WebviewPanel;

interface PageParts {
  /** The folder of the extension. */
  readonly extension: Uri;
  readonly log: Log;
  readonly receive: (page: PanelPage, message: unknown) => void;
  readonly stateOf: (page: PanelPage) => SessionState;
  /** Called when the page becomes hidden. */
  readonly onHide: (page: PanelPage) => void;
}

/**
 * One page of the panel. VS Code discards its document when it is hidden, moved or closed, and loads another later.
 * This object survives that.
 */
export class PanelPage implements Disposable {
  private readonly parts: PageParts;
  private place: PagePlace | undefined;
  readonly feed: PanelFeed;
  /** Names its new session among the drafts: `new` for the side bar's page, else `new:` and an id from the page. */
  readonly name: string;
  /** The session to show while another page is active; `undefined` for a new one. */
  sessionId: string | undefined;
  isFocused = false;
  /** Origin of MCP apps that the document may show, other than this machine. */
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

  /** Loads the document in this location and leaves the previous one. */
  async open(place: PagePlace): Promise<void> {
    const store = new DisposableStore();
    this.place = place;
    const { webview } = place;
    webview.options = pageOptions(this.parts.extension, this.name);
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

  /** Reloads the document with a policy that allows this origin. */
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

  private html(webview: Webview, language: Language): string {
    const folder = pageFolder(this.parts.extension);
    const locate = (name: string) => webview.asWebviewUri(Uri.joinPath(folder, name)).toString();
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

/** Contains only the page's files. */
function pageFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/**
 * The second root is the same folder and names the page: of a new tab, VS Code restores the options even if it was
 * killed before it stored the state of the webview.
 */
export function pageOptions(extension: Uri, name: string): WebviewOptions {
  const folder = pageFolder(extension);
  return { enableScripts: true, localResourceRoots: [folder, folder.with({ fragment: name })] };
}
