import { randomBytes } from 'node:crypto';
import { Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { PageFrame, PageLoss, ToPageTab } from '../../../../protocol/panel/pageTab.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { ControlledPage, JavaScriptDialog, PageViewer } from '../../../platform/browser/browser.ts';
import type { Log } from '../../../platform/log.ts';
import { panelHtml } from '../../panel/panelHtml.ts';
import { readPageLanguage } from '../../windowLanguage.ts';
import { fromPageTabSchema } from './fromPageTabSchema.ts';

/** Shows the page beside the code while the user controls it, and reports its loss. Closing it gives the page back. */
export class PageTab implements PageViewer {
  private readonly extension: Uri;
  private readonly log: Log;
  private readonly tab: WebviewPanel;
  private readonly store = new DisposableStore();
  private readonly end = new Emitter<void>();
  private taken: ControlledPage | undefined;
  private newest: ToPageTab | undefined;
  private drawn = () => {};
  private isOver = false;
  private isLost = false;
  readonly onEnd = this.end.event;

  constructor(extension: Uri, log: Log) {
    this.extension = extension;
    this.log = log;
    this.tab = window.createWebviewPanel('folio.page', t('Page'), ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [this.folder],
    });
    this.store.add(this.tab.webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    this.store.add(this.tab.onDidDispose(() => this.ended()));
    void this.load();
  }

  /** Returns `false` if the page was lost, so that the user may take over another one. */
  reveal(): boolean {
    if (!this.isLost) this.tab.reveal();
    return !this.isLost;
  }

  /** Sends input there from now on. Gives the page back at once if the tab was closed meanwhile. */
  follow(taken: ControlledPage): void {
    this.taken = taken;
    if (this.isOver) this.giveBack(taken);
  }

  show(frame: PageFrame): Promise<void> {
    this.newest = { type: 'frame', ...frame };
    this.tab.title = t('Page of {0}', URL.canParse(frame.address) ? new URL(frame.address).host : '');
    return new Promise(resolve => {
      this.drawn = resolve;
      this.post();
    });
  }

  async answer({ kind, message, value }: JavaScriptDialog): Promise<string | undefined> {
    if (kind === 'prompt') return window.showInputBox({ prompt: message, value, ignoreFocusOut: true });
    const detail = message;
    const title = t('The page says');
    if (kind === 'alert') return (await window.showInformationMessage(title, { modal: true, detail })) ?? '';
    const ok = t('OK');
    return (await window.showInformationMessage(title, { modal: true, detail }, ok)) === ok ? '' : undefined;
  }

  ended(lost?: PageLoss): void {
    if (this.isOver) return;
    this.drawn();
    if (lost !== undefined) {
      this.isLost = true;
      this.newest = { type: 'lost', lost };
      this.post();
      return;
    }
    this.isOver = true;
    if (this.taken) this.giveBack(this.taken);
    this.tab.dispose();
    this.store.dispose();
    this.end.fire();
  }

  private giveBack(taken: ControlledPage): void {
    taken.giveBack().catch(error => this.log.error('The page could not be given back', error));
  }

  private receive(message: unknown): void {
    const parsed = fromPageTabSchema.safeParse(message);
    if (!parsed.success) {
      this.log.warn('The tab of a page sent what Folio does not know');
      return;
    }
    const { data } = parsed;
    if (data.type === 'ready') this.post();
    if (data.type === 'drawn') this.drawn();
    if (data.type === 'alive') void this.tab.webview.postMessage({ type: 'alive' } satisfies ToPageTab);
    if (data.type === 'input') void this.taken?.input(data.input);
    if (data.type === 'giveBack') this.ended();
  }

  /** A tab that was hidden reloads, and asks for the newest state. */
  private post(): void {
    if (this.newest && !this.isOver) void this.tab.webview.postMessage(this.newest);
  }

  private async load(): Promise<void> {
    const { webview } = this.tab;
    const language = await readPageLanguage();
    if (this.isOver) return;
    const locate = (name: string) => webview.asWebviewUri(Uri.joinPath(this.folder, name)).toString();
    webview.html = panelHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64url'),
      script: locate('main.js'),
      style: locate('main.css'),
      language,
      shows: 'page',
    });
  }

  private get folder(): Uri {
    return Uri.joinPath(this.extension, 'dist', 'webview');
  }
}
