/* Runs an installed Chromium with a temporary profile. */

import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { namesSecret } from '../../base/maskSecrets.ts';
import { oneLine, tailOf } from '../../base/text.ts';
import {
  BrowserError,
  type PageChanges,
  type PageProblems,
  type PageStep,
  type PageView,
} from '../../platform/browser/browser.ts';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';
import { endTree } from '../processes/endTree.ts';
import { BrowserProxy } from './browserProxy.ts';
import type { CdpEvent } from './cdpConnection.ts';
import { CdpPipe } from './cdpPipe.ts';
import { Page } from './page.ts';
import type { SendCommand } from './pageElements.ts';
import { PictureCanvas } from './pictureCanvas.ts';

/**
 * Disables telemetry, prompts, and everything shared with the user's own browser. Uses one process for all frames of a
 * page.
 */
const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-quic',
  '--disable-site-isolation-trials',
  '--disable-sync',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // Sends requests to this machine through the proxy, too.
  '--proxy-bypass-list=<-loopback>',
];

const goodbyeMs = 1_500;
const maxDownloadBytes = 50 * 1024 * 1024;
/** Maximum number of windows that a page opens before it is abandoned. */
const maxWindows = 20;

export class Chromium {
  private readonly child: ChildProcess;
  private readonly pipe: CdpPipe;
  private readonly proxy: BrowserProxy;
  private readonly folder: string;
  private readonly exit: Promise<void>;
  private complaint = '';
  private opened: { readonly sessionId: string; readonly page: Page } | undefined;
  private onOpen: ((sessionId: string) => void) | undefined;
  private own = '';
  private windows = 0;
  private closing: Promise<void> | undefined;
  private readonly mask: () => readonly string[];
  private canvas: Promise<PictureCanvas> | undefined;
  /** Browser context that holds only the canvas. */
  private canvasContext: string | undefined;

  private constructor(
    child: ChildProcess,
    proxy: BrowserProxy,
    folder: string,
    mask: () => readonly string[],
  ) {
    this.child = child;
    this.proxy = proxy;
    this.folder = folder;
    this.mask = mask;
    const [, , , toBrowser, fromBrowser] = child.stdio;
    const take = (event: CdpEvent) => this.take(event);
    this.pipe = new CdpPipe(toBrowser as Writable, fromBrowser as Readable, take, () => this.die());
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaint = tailOf(this.complaint + text, 2_000);
    });
    this.exit = new Promise(resolve => {
      child.on('exit', () => resolve());
      child.on('error', error => {
        this.complaint = messageOf(error);
        resolve();
      });
    });
    void this.exit.then(() => {
      this.pipe.end(new BrowserError('The browser has ended. Open the page again.'));
    });
    // A run does not wait for it at its end; the browser exits with its pipes.
    child.unref();
  }

  /** Rejects with a `BrowserError` if it does not start. @param mask CSS selectors of elements hidden in screenshots */
  static async start(program: string, mask: () => readonly string[]): Promise<Chromium> {
    const proxy = new BrowserProxy();
    const [port, folder] = await Promise.all([proxy.listen(), makeTemporaryFolder('browser')]);
    const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
    const args = [
      ...flags,
      // Chromium cannot use its own sandbox as root.
      ...(asRoot ? ['--no-sandbox'] : []),
      `--proxy-server=http://127.0.0.1:${port}`,
      `--user-data-dir=${join(folder, 'profile')}`,
    ];
    const child = spawn(program, args, {
      cwd: folder,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !namesSecret(name))),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const browser = new Chromium(child, proxy, folder, mask);
    try {
      await browser.begin();
      return browser;
    } catch (error) {
      await browser.close();
      const said = browser.complaint
        .split('\n')
        .findLast(line => /error|fatal|sandbox|ENOENT|EACCES/i.test(line));
      throw new BrowserError(
        `The browser ${program} did not start: ${oneLine(said ?? messageOf(error), 300)}`,
      );
    }
  }

  /** It accepts no more requests. */
  get isOver(): boolean {
    return this.closing !== undefined;
  }

  get address(): string | undefined {
    return this.isOver ? undefined : this.opened?.page.shownAddress;
  }

  async open(address: string, width: number | undefined, signal: AbortSignal): Promise<PageChanges> {
    const page = this.opened?.page ?? (await this.makePage());
    return page.secrets.hideIn(await page.open(address, width, signal));
  }

  get page(): Page {
    if (!this.opened) throw new BrowserError('No page is open. Open one with browser_open.');
    return this.opened.page;
  }

  async look(view: PageView) {
    return this.page.secrets.hideIn(await this.page.look(view));
  }

  async check(signal: AbortSignal): Promise<PageProblems | undefined> {
    if (this.isOver || !this.opened) return undefined;
    return this.page.secrets.hideIn(await this.page.check(signal));
  }

  async act(steps: readonly PageStep[], signal: AbortSignal) {
    return this.page.secrets.hideIn(await this.page.act(steps, signal));
  }

  async run(script: string) {
    return this.page.secrets.hideIn(await this.page.run(script));
  }

  /** Processes pictures, also those of other browsers. */
  pictureCanvas(): Promise<PictureCanvas> {
    this.canvas ??= this.openCanvas().catch((error: unknown) => {
      this.canvas = undefined;
      throw error;
    });
    return this.canvas;
  }

  /** Resolves when no process is left and its folder is deleted. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** Handles an unexpected end, unless `close` has begun. */
  private die(): void {
    this.opened?.page.takeover.leave('browser');
    void this.close();
  }

  private async end(): Promise<void> {
    this.opened?.page.takeover.leave();
    this.pipe.end(new BrowserError('The browser was closed.'));
    const { pid } = this.child;
    if (pid !== undefined) {
      await Promise.race([this.exit, sleep(goodbyeMs)]);
      await endTree(pid);
      await this.exit;
    }
    this.proxy.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async begin(): Promise<void> {
    await Promise.race([
      this.pipe.send('Browser.getVersion'),
      this.exit.then(() => Promise.reject(new BrowserError('it ended at once'))),
    ]);
    await this.pipe.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      downloadPath: join(this.folder, 'downloads'),
      eventsEnabled: true,
    });
    const whatever = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await this.pipe.send('Target.setAutoAttach', whatever);
  }

  private async makePage(): Promise<Page> {
    const opened = new Promise<string>(resolve => {
      this.onOpen = resolve;
    });
    const { targetId } = await this.pipe.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
    });
    this.own = targetId;
    const sessionId = await opened;
    const send: SendCommand = (method, params) => this.pipe.send(method, params, sessionId);
    const canvas = () => this.pictureCanvas();
    const page = new Page(send, this.proxy, targetId, error => this.pipe.end(error), this.mask, canvas);
    this.opened = { sessionId, page };
    await Promise.all([send('Network.setBypassServiceWorker', { bypass: true }), page.begin(1280)]);
    return page;
  }

  /** Uses a separate context, whose process and storage no page can share. */
  private async openCanvas(): Promise<PictureCanvas> {
    const { browserContextId } = await this.pipe.send<{ browserContextId: string }>(
      'Target.createBrowserContext',
    );
    this.canvasContext = browserContextId;
    const { targetId } = await this.pipe.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const { sessionId } = await this.pipe.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    return new PictureCanvas((method, params) => this.pipe.send(method, params, sessionId));
  }

  private take(event: CdpEvent): void {
    const { method, params, sessionId } = event;
    if (method === 'Target.attachedToTarget') this.attach(params);
    if (method === 'Target.detachedFromTarget' && params.sessionId === this.opened?.sessionId)
      this.losePage();
    if (method === 'Browser.downloadWillBegin') this.noticeDownload(params);
    if (method === 'Browser.downloadProgress') this.watchDownload(params);
    if (sessionId !== this.opened?.sessionId) return;
    if (method === 'Inspector.targetCrashed') {
      void this.pipe.send('Target.closeTarget', { targetId: this.own }).catch(() => {});
      this.losePage();
      return;
    }
    // The user may take long to answer a dialog, and the page does not answer until then.
    if (method === 'Page.javascriptDialogOpening')
      this.pipe.isPatient = this.opened?.page.takeover.isHeld === true;
    if (method === 'Page.javascriptDialogClosed') this.pipe.isPatient = false;
    this.opened?.page.take(event);
  }

  private losePage(): void {
    this.opened?.page.takeover.leave('page');
    this.opened = undefined;
  }

  private attach({ sessionId, targetInfo }: Attached): void {
    const { type, targetId, browserContextId } = targetInfo;
    const isCanvas = browserContextId !== undefined && browserContextId === this.canvasContext;
    if (type === 'page' && this.onOpen) {
      this.own = targetId;
      this.onOpen(sessionId);
      this.onOpen = undefined;
    }
    // A paused window blocks the page that opened it, so resume it before closing it.
    void this.pipe.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => {});
    if (type === 'page' && targetId !== this.own && !isCanvas) this.closeWindow(targetId);
  }

  private closeWindow(targetId: string): void {
    void this.pipe.send('Target.closeTarget', { targetId }).catch(() => {});
    this.windows++;
    if (this.windows < maxWindows) return;
    this.pipe.end(new BrowserError('The page opens windows without end, so its browser was closed.'));
  }

  private noticeDownload({ suggestedFilename, url }: BegunDownload): void {
    this.notice(`A download began: ${oneLine(suggestedFilename, 100)} (${oneLine(url, 200)}).`);
  }

  private watchDownload({ guid, receivedBytes, state }: Download): void {
    if (state === 'completed') this.notice('The download is complete.');
    if (state !== 'inProgress' || receivedBytes <= maxDownloadBytes) return;
    this.notice(`The download is larger than ${maxDownloadBytes / 1024 / 1024} MB and was stopped.`);
    void this.pipe.send('Browser.cancelDownload', { guid }).catch(() => {});
  }

  private notice(text: string): void {
    this.opened?.page.record.notices.add(text);
  }
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: {
    readonly type: string;
    readonly targetId: string;
    readonly browserContextId?: string;
  };
}

interface BegunDownload {
  readonly suggestedFilename: string;
  readonly url: string;
}

interface Download {
  readonly guid: string;
  readonly receivedBytes: number;
  readonly state: string;
}
