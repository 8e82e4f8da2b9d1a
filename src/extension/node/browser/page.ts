/* The only page of a session's browser. */

import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../../base/text.ts';
import { classifyHost } from '../../platform/browser/addresses.ts';
import {
  BrowserError,
  type ControlledPage,
  type PageChanges,
  type PageContent,
  type PageProblems,
  type PageStep,
  type PageView,
  type PageViewer,
} from '../../platform/browser/browser.ts';
import { hostnameOf, type PageHosts } from './browserProxy.ts';
import type { CdpEvent } from './cdpConnection.ts';
import { diffOutlines, truncateLines } from './outline.ts';
import { type EvaluationResult, PageElements, type SendCommand } from './pageElements.ts';
import { PagePictures } from './pagePictures.ts';
import { PageRecord } from './pageRecord.ts';
import { PageSecrets } from './pageSecrets.ts';
import { PageStepRunner } from './pageStepRunner.ts';
import { type PageDialog, PageTakeover } from './pageTakeover.ts';
import type { PictureCanvas } from './pictureCanvas.ts';

const outlineLimit = 12_000;
const firstOutlineLimit = 6_000;
const changesLimit = 3_000;
const textLimit = 20_000;
const valueLimit = 8_000;
const quietMs = 250;
/** Quiet time between two steps. */
const stepQuietMs = 80;
const settleMs = 3_000;
const loadMs = 20_000;
const scriptMs = 15_000;
/** A page that shows more dialogs than this is abandoned. */
const maxDialogs = 25;

export class Page {
  readonly record = new PageRecord();
  readonly secrets: PageSecrets;
  readonly takeover: PageTakeover;
  private readonly send: SendCommand;
  private readonly hosts: PageHosts;
  private mainFrame: string;
  private readonly giveUp: (why: BrowserError) => void;
  private readonly elements: PageElements;
  private readonly steps: PageStepRunner;
  private readonly pictures: PagePictures;
  private before: readonly string[] = [];
  private isNew = false;
  private documents = 0;
  private isLoading = false;
  private dialogs = 0;
  private maskProblem: string | undefined;
  /** Errors and failed requests already shown in results. */
  private readonly known = new Set<string>();
  private accepts: { readonly text: string } | undefined;
  address = 'about:blank';

  /** @param mainFrame id of its top-level frame. @param mask CSS selectors of elements hidden in screenshots */
  constructor(
    send: SendCommand,
    hosts: PageHosts,
    mainFrame: string,
    giveUp: (why: BrowserError) => void,
    mask: () => readonly string[],
    canvas: () => Promise<PictureCanvas>,
  ) {
    this.send = send;
    this.hosts = hosts;
    this.mainFrame = mainFrame;
    this.giveUp = giveUp;
    this.elements = new PageElements(send);
    this.steps = new PageStepRunner(send, this.elements);
    this.secrets = new PageSecrets(send, this.elements);
    this.takeover = new PageTakeover(send, this.secrets);
    this.pictures = new PagePictures(
      send,
      this.elements,
      { mask, fields: () => this.secrets.fields },
      canvas,
    );
  }

  /** @param width omitted to use the size of its window */
  async begin(width?: number): Promise<void> {
    await Promise.all([
      this.send('Page.enable'),
      this.send('Runtime.enable'),
      this.send('Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 100_000 }),
      this.send('Log.enable'),
      this.send('DOM.enable'),
      this.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }),
      width === undefined ? undefined : this.pictures.resize(width),
    ]);
  }

  async open(address: string, width: number | undefined, signal: AbortSignal): Promise<PageChanges> {
    if (width !== undefined) await this.pictures.resize(width);
    const { host } = new URL(address);
    this.hosts.page = hostnameOf(address);
    this.hosts.granted.add(this.hosts.page);
    this.hosts.failures.delete(host);
    this.dialogs = 0;
    this.isLoading = true;
    const { errorText } = await this.send<{ errorText?: string }>('Page.navigate', { url: address });
    const why = this.hosts.failures.get(host);
    if (why !== undefined) throw new BrowserError(`${address} could not be opened: ${why}`);
    if (errorText !== undefined && this.record.notices.total === 0)
      throw new BrowserError(`${address} could not be opened: ${errorText}`);
    const end = performance.now() + loadMs;
    while (this.isLoading && performance.now() < end) {
      signal.throwIfAborted();
      await sleep(50);
    }
    if (this.isLoading) this.record.notices.add(`The page still loads after ${loadMs / 1000} s.`);
    return this.changes({ done: 0 });
  }

  /** The address with the user's typed secrets masked. */
  get shownAddress(): string {
    return this.secrets.hideInAddress(this.address);
  }

  /** @param onEnd called when the user's control ends */
  async takeOver(viewer: PageViewer, onEnd: () => void): Promise<ControlledPage> {
    await this.takeover.begin(viewer, lost => {
      onEnd();
      viewer.ended(lost);
    });
    return { input: event => this.takeover.input(event), giveBack: () => this.takeBack() };
  }

  private async takeBack(): Promise<void> {
    if (!this.takeover.isHeld) return;
    const seconds = await this.takeover.end();
    // The user left the page on this host, so links within the host keep working. The policy asks about the host.
    if (/^https?:/.test(this.address)) this.hosts.granted.add(hostnameOf(this.address));
    this.record.notices.add(`The user had the page for ${seconds} s and has given it back as it is now.`);
  }

  async check(signal: AbortSignal): Promise<PageProblems | undefined> {
    const { address } = this;
    if (!/^https?:/.test(address) || classifyHost(hostnameOf(address)) !== 'local') return undefined;
    const known = new Set(this.known);
    const isNew = (line: string) => !known.has(withoutPlace(line));
    const { consoleErrors, failedRequests } = await this.open(address, undefined, signal);
    return {
      address,
      consoleErrors: consoleErrors.filter(isNew),
      failedRequests: failedRequests.filter(isNew),
    };
  }

  async look({ what, at, compareTo }: PageView): Promise<PageContent> {
    switch (what) {
      case 'picture':
        return { kind: 'picture', ...(await this.pictures.look(at, compareTo)) };
      case 'outline': {
        const lines = await this.elements.outline(at);
        if (at === undefined) this.before = lines;
        return text(truncateLines(lines, outlineLimit, 'name a part with a reference or a CSS selector'));
      }
      case 'text':
        return text(await this.text(at));
      case 'console':
        return text(truncateLines(this.record.console.newest, outlineLimit, 'the newest are left out'));
      case 'network':
        return text(truncateLines(this.record.network, outlineLimit, 'the newest are left out'));
    }
  }

  async act(steps: readonly PageStep[], signal: AbortSignal): Promise<PageChanges> {
    this.dialogs = 0;
    let done = 0;
    try {
      for (const step of steps) {
        signal.throwIfAborted();
        if (this.takeover.isWanted) throw new BrowserError('The user takes over the page.');
        if (step.do === 'accept') this.accepts = { text: step.text ?? '' };
        await this.steps.take(step, signal);
        await this.settle(stepQuietMs);
        done++;
      }
      return await this.changes({ done });
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
      return await this.changes({ done, failure: error.message });
    } finally {
      this.accepts = undefined;
    }
  }

  async run(script: string): Promise<PageChanges & { readonly value: string }> {
    this.dialogs = 0;
    const asValue = `(async () => (${script}\n))()`;
    const { exceptionDetails } = await this.send<EvaluationResult>('Runtime.compileScript', {
      expression: asValue,
      sourceURL: '',
      persistScript: false,
    });
    const expression = exceptionDetails ? `(async () => {${script}\n})()` : asValue;
    const evaluated = await this.evaluate(expression);
    await this.settle();
    return { ...(await this.changes({ done: 0 })), value: evaluated };
  }

  take(event: CdpEvent): void {
    const { method, params } = event;
    this.record.take(event);
    this.takeover.take(event, this.address);
    if (method === 'Page.frameNavigated' && params.frame.parentId === undefined) {
      this.address = params.frame.url;
      this.mainFrame = params.frame.id;
      if (/^https?:/.test(this.address)) this.hosts.page = hostnameOf(this.address);
      this.isNew = true;
      this.documents++;
      this.record.begin(params.frame.loaderId);
      this.elements.leaveDocument();
    }
    if (method === 'Page.navigatedWithinDocument' && params.frameId === this.mainFrame)
      this.address = params.url;
    if (method === 'Page.frameStartedLoading' && params.frameId === this.mainFrame) this.isLoading = true;
    if (method === 'Page.loadEventFired') this.isLoading = false;
    if (method === 'Page.frameStoppedLoading' && params.frameId === this.mainFrame) this.isLoading = false;
    if (method === 'Page.javascriptDialogOpening') this.answerDialog(params);
    if (method === 'Page.windowOpen') this.noticeWindow(params.url);
    if (method === 'Fetch.requestPaused') this.decide(params);
  }

  private answerDialog(dialog: PageDialog): void {
    if (this.takeover.isHeld) return void this.takeover.answer(dialog);
    const { type, message } = dialog;
    this.dialogs++;
    const isTaken = type === 'alert' || type === 'beforeunload' || this.accepts !== undefined;
    const promptText = this.accepts?.text;
    if (type === 'confirm' || type === 'prompt') this.accepts = undefined;
    this.record.notices.add(
      `${isTaken ? 'Accepted' : 'Dismissed'} the ${type} dialog: ${oneLine(message, 200)}`,
    );
    this.quietly('Page.handleJavaScriptDialog', { accept: isTaken, promptText });
    if (this.dialogs >= maxDialogs)
      this.giveUp(new BrowserError('The page opens dialogs without end, so its browser was closed.'));
  }

  private noticeWindow(url: string): void {
    // The user followed a link to a new window. There is only one page, so open it here.
    if (this.takeover.isHeld) {
      this.quietly('Page.navigate', { url });
      return;
    }
    this.record.notices.add(
      `The page opened a window, which was closed: ${oneLine(url, 300) || 'about:blank'}. Open it with browser_open if it is needed.`,
    );
  }

  /** The top-level page opens only addresses that a call was allowed to open. */
  private decide({ requestId, frameId, request }: Paused): void {
    if (frameId !== this.mainFrame || this.hosts.allowsPage(request.url, this.takeover.isHeld)) {
      this.quietly('Fetch.continueRequest', { requestId });
      return;
    }
    this.record.notices.add(
      `The page wanted to go to ${oneLine(request.url, 300)}, which was blocked. Open it with browser_open if it is needed.`,
    );
    this.isLoading = false;
    this.quietly('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  /** Ignores failures because the page is gone; the next operation reports them. */
  private quietly(method: string, params: object = {}): void {
    void this.send(method, params).catch(() => {});
  }

  private async evaluate(expression: string): Promise<string> {
    const { result, exceptionDetails } = await this.send<EvaluationResult>('Runtime.evaluate', {
      expression: `Promise.race([${expression}, new Promise((_, no) => setTimeout(() => no(new Error('It took longer than ${scriptMs / 1000} s.')), ${scriptMs}))])`,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
      timeout: scriptMs,
    });
    if (exceptionDetails) {
      const { exception, text } = exceptionDetails;
      const why = exception?.description ?? String(exception?.value ?? text);
      throw new BrowserError(`The script failed: ${oneLine(why, 500)}`);
    }
    const value =
      result.value === undefined
        ? (result.description ?? result.type)
        : JSON.stringify(result.value, null, 1);
    return truncateLines(value.match(/.{1,500}|^$/gm) ?? [], valueLimit, 'return less');
  }

  private async text(at: string | undefined): Promise<string> {
    const code = 'function () { return (this.innerText ?? this.textContent ?? "").slice(0, 200000); }';
    const element = await this.elements.find(at ?? 'body');
    const found = await this.elements.call<string>(element, code);
    const lines = found.replace(/\n{3,}/g, '\n\n').match(/.{1,500}|^$/gm) ?? [];
    return truncateLines(lines, textLimit, 'name a part with a CSS selector');
  }

  /** Waits until requests have ended and no new ones start, up to a limit. */
  private async settle(quiet = quietMs): Promise<void> {
    const begin = performance.now();
    while (performance.now() < begin + settleMs) {
      // The effects of a step appear a moment later.
      const isQuiet = performance.now() - Math.max(begin, this.record.lastActivity) > quiet;
      if (!this.isLoading && this.record.open === 0 && isQuiet) return;
      await sleep(50);
    }
  }

  private async changes(taken: { readonly done: number; readonly failure?: string }): Promise<PageChanges> {
    await this.settle();
    const { before } = this;
    const outline = await this.outlineOrWhyNot();
    const { isNew } = this;
    this.isNew = false;
    if (typeof outline !== 'string') this.before = outline;
    const consoleErrors = this.record.errors.takeNew(10);
    const failedRequests = this.record.failed.takeNew(10);
    for (const line of [...consoleErrors, ...failedRequests]) this.known.add(withoutPlace(line));
    await this.noticeMask();
    return {
      ...taken,
      address: this.address,
      title: await this.title(),
      isNew,
      consoleErrors,
      failedRequests,
      notices: this.record.notices.takeNew(10),
      outline:
        typeof outline === 'string'
          ? outline
          : isNew
            ? truncateLines(outline, firstOutlineLimit, 'see it with browser_look')
            : truncateLines(diffOutlines(before, outline), changesLimit, 'see all with browser_look'),
    };
  }

  /** Reports each problem only once. */
  private async noticeMask(): Promise<void> {
    const problem = await this.pictures.findMaskProblem();
    if (problem !== undefined && problem !== this.maskProblem) this.record.notices.add(problem);
    this.maskProblem = problem;
  }

  private async outlineOrWhyNot(): Promise<readonly string[] | string> {
    try {
      const { documents } = this;
      const outline = await this.elements.outline();
      // Another document was loaded meanwhile, in which the references are invalid.
      return documents === this.documents ? outline : await this.elements.outline();
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
      return `[No outline. ${error.message}]`;
    }
  }

  private async title(): Promise<string> {
    const { targetInfo } = await this.send<{ targetInfo: { title: string } }>('Target.getTargetInfo', {});
    return oneLine(targetInfo.title, 200);
  }
}

interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly request: { readonly url: string };
}

/** Removes numbers and query strings: edits move lines, and servers number what they send. */
function withoutPlace(line: string): string {
  return line.replace(/\?[^\s)]*|\d+/g, '');
}

function text(words: string): PageContent {
  return { kind: 'text', text: words };
}
