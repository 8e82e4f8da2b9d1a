/* A tab of the user's own browser that they share and keep using. Changes nothing in their browser. */

import { oneLine } from '../../base/text.ts';
import {
  BrowserError,
  type PageChanges,
  type PageContent,
  type PageStep,
  type PageView,
} from '../../platform/browser/browser.ts';
import type { UserTab } from '../../platform/browser/tabs.ts';
import { hostnameOf, PageHosts } from './browserProxy.ts';
import type { CdpEvent } from './cdpConnection.ts';
import { CdpSocket } from './cdpSocket.ts';
import { Page } from './page.ts';
import type { FrameTree } from './pageElements.ts';
import type { PictureCanvas } from './pictureCanvas.ts';

interface TabPictures {
  /** CSS selectors of elements hidden in screenshots. */
  readonly mask: () => readonly string[];
  /** In the private browser, so that the user's browser shows nothing of it. */
  readonly canvas: () => Promise<PictureCanvas>;
}

export class SharedTab {
  private readonly socket: CdpSocket;
  private readonly hosts = new PageHosts();
  private readonly page: Page;
  /** Number of running calls that change the page. Changes meanwhile count as theirs, others as the user's. */
  private acting = 0;
  /** An open dialog that the user must answer. */
  private dialog: string | undefined;

  private constructor(socket: CdpSocket, mainFrame: string, { mask, canvas }: TabPictures) {
    this.socket = socket;
    const end = (error: BrowserError) => socket.end(error);
    const send = <Result>(method: string, params?: object) => socket.send<Result>(method, params);
    this.page = new Page(send, this.hosts, mainFrame, end, mask, canvas);
  }

  /** Rejects with a `BrowserError`. @param onEnd called once, when the tab is gone or after `leave` */
  static async attach(tab: UserTab, pictures: TabPictures, onEnd: () => void): Promise<SharedTab> {
    let shared: SharedTab | undefined;
    const address = `ws://${tab.at}/devtools/page/${tab.id}`;
    const socket = await CdpSocket.open(address, event => shared?.take(event), onEnd);
    try {
      const { frameTree } = await socket.send<{ frameTree: TabFrames }>('Page.getFrameTree');
      const { id, url } = frameTree.frame;
      if (!/^https?:/.test(url) || hostnameOf(url) !== hostnameOf(tab.address))
        throw new BrowserError('The tab went to another host meanwhile.');
      shared = new SharedTab(socket, id, pictures);
      await shared.begin(url);
      return shared;
    } catch (error) {
      socket.end(new BrowserError('The tab is not shared.'));
      throw error;
    }
  }

  get address(): string {
    return this.page.shownAddress;
  }

  async open(address: string, signal: AbortSignal): Promise<PageChanges> {
    this.expectAnswered();
    return this.change(() => this.page.open(address, undefined, signal));
  }

  async look(view: PageView): Promise<PageContent> {
    this.expectShared();
    return this.show(() => this.page.look(view));
  }

  private take(event: CdpEvent): void {
    const { method, params } = event;
    switch (method) {
      case 'Page.javascriptDialogOpening':
        if (this.acting > 0) break;
        this.dialog = oneLine(params.message, 200);
        this.socket.isPatient = true;
        return;
      case 'Page.javascriptDialogClosed':
        this.dialog = undefined;
        this.socket.isPatient = false;
        return;
      case 'Page.windowOpen':
        if (this.acting > 0) this.noticeWindow(params.url);
        return;
      case 'Fetch.requestPaused':
        if (this.acting > 0) break;
        // The user may navigate anywhere.
        void this.socket.send('Fetch.continueRequest', { requestId: params.requestId }).catch(() => {});
        return;
      case 'Inspector.targetCrashed':
        this.socket.end(new BrowserError('The tab has crashed.'));
        return;
    }
    this.page.take(event);
  }

  async act(steps: readonly PageStep[], signal: AbortSignal): Promise<PageChanges> {
    this.expectShared();
    return this.change(() => this.page.act(steps, signal));
  }

  async run(script: string) {
    this.expectShared();
    return this.change(() => this.page.run(script));
  }

  /** The browser drops all protocol settings of the tab, which stays open. */
  leave(): void {
    this.socket.end(new BrowserError('The user no longer shares the tab.'));
  }

  private async begin(address: string): Promise<void> {
    this.page.address = address;
    this.hosts.page = hostnameOf(address);
    this.hosts.granted.add(this.hosts.page);
    await this.page.begin();
  }

  private async change<Result>(work: () => Promise<Result>): Promise<Result> {
    this.acting++;
    try {
      return await this.show(work);
    } finally {
      this.acting--;
    }
  }

  /** Reads passwords that the user has filled in, before anything is shown. */
  private async show<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.page.secrets.noteFilled();
    const result = await work();
    await this.page.secrets.noteFilled();
    this.expectShared();
    return this.page.secrets.hideIn(result);
  }

  private expectShared(): void {
    if (!this.hosts.allowsPage(this.page.address, false))
      throw new BrowserError(
        'The tab is at another host than the user shares. They can go back, or share it there with "Folio: Share a Tab".',
      );
    this.expectAnswered();
  }

  private expectAnswered(): void {
    if (this.dialog !== undefined)
      throw new BrowserError(
        `The tab shows a dialog, which the user has to answer: ${JSON.stringify(this.dialog)}`,
      );
  }

  private noticeWindow(url: string): void {
    this.page.record.notices.add(
      `The page opened another tab, which is not shared: ${oneLine(url, 300) || 'about:blank'}.`,
    );
  }
}

interface TabFrames extends FrameTree {
  readonly frame: FrameTree['frame'] & { readonly url: string };
}
