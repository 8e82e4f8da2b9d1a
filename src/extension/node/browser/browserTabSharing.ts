/* Tracks which tab of their own browser the user shares with a session. Loads the code that controls it on demand. */

import { get } from 'node:http';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { headOf, oneLine } from '../../base/text.ts';
import { BrowserError } from '../../platform/browser/browser.ts';
import type { SharingChange, TabSharing, UserTab } from '../../platform/browser/tabs.ts';
import type { PictureCanvas } from './pictureCanvas.ts';
import type { SharedTab } from './sharedTab.ts';

const listMs = 3_000;
const maxTabs = 200;
const maxListBytes = 4 * 1024 * 1024;

const begun =
  '(The user now shares a tab of their own browser with you, where they may be signed in. browser_look, browser_do and browser_run work on it. browser_open would lead it elsewhere and asks the user.)';
const ended =
  '(The user no longer shares their tab. browser_open opens pages in a private browser again, where nobody is signed in.)';

export class BrowserTabSharing implements TabSharing {
  private readonly mask: () => readonly string[];
  private readonly canvas: () => Promise<PictureCanvas>;
  private readonly change = new Emitter<SharingChange>();
  private shared: { readonly facts: UserTab; readonly tab: SharedTab } | undefined;
  private news: string | undefined;
  /** The tab that the agent knew is gone, and the agent has opened no page since. */
  isOver = false;
  readonly onDidChange = this.change.event;

  /** @param canvas that of the private browser. @param mask CSS selectors of elements hidden in screenshots */
  constructor(mask: () => readonly string[], canvas: () => Promise<PictureCanvas>) {
    this.mask = mask;
    this.canvas = canvas;
  }

  get present(): UserTab | undefined {
    return this.shared?.facts;
  }

  get tab(): SharedTab | undefined {
    return this.shared?.tab;
  }

  async list(at: string): Promise<readonly UserTab[]> {
    const found = parseList(await readList(at));
    if (found === undefined)
      throw new BrowserError('What answers there is no browser with a debugging port for all programs.');
    return found.map(tab => ({ ...tab, at }));
  }

  async share(facts: UserTab): Promise<void> {
    const { SharedTab } = await import('./sharedTab.ts');
    const gone = new AbortController();
    const tab = await SharedTab.attach(facts, { mask: this.mask, canvas: this.canvas }, () => gone.abort());
    if (gone.signal.aborted) throw new BrowserError('The tab was closed.');
    gone.signal.addEventListener('abort', () => {
      if (this.shared?.tab === tab) this.end('lost');
    });
    this.stop();
    this.isOver = false;
    this.shared = { facts, tab };
    this.news = begun;
    this.change.fire('shared');
  }

  stop(): void {
    const tab = this.shared?.tab;
    if (!tab) return;
    this.end('stopped');
    tab.leave();
  }

  next(): string | undefined {
    const { news } = this;
    this.news = undefined;
    return news;
  }

  private end(how: 'stopped' | 'lost'): void {
    this.shared = undefined;
    this.isOver = true;
    // If the model was never told about the tab, its end need not be reported either.
    this.news = this.news === begun ? undefined : ended;
    this.change.fire(how);
  }
}

function readList(at: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new BrowserError(`No browser takes the DevTools protocol at ${at}: ${oneLine(why, 200)}`));
    const asked = get(`http://${at}/json/list`, { agent: false, timeout: listMs }, answer => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (more: string) => {
        text += more;
        if (text.length > maxListBytes) asked.destroy(new Error('the list is too long'));
      });
      answer.on('error', error => fail(messageOf(error)));
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : ''));
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${listMs / 1000} s`)));
    asked.on('error', error => fail(messageOf(error)));
  });
}

/** Returns `undefined` for anything but a list of tabs. Validates ids, because they become part of an address. */
function parseList(text: string): readonly Omit<UserTab, 'at'>[] | undefined {
  // Another program may listen there and send anything.
  const given = tryParseJson(text);
  if (!Array.isArray(given)) return undefined;
  return given
    .slice(0, maxTabs * 10)
    .flatMap(parseTab)
    .slice(0, maxTabs);
}

function parseTab(given: unknown): readonly Omit<UserTab, 'at'>[] {
  if (typeof given !== 'object' || given === null) return [];
  const { id, title, url, type } = given as Readonly<Record<string, unknown>>;
  if (type !== 'page' || typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) return [];
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) return [];
  return [{ id, title: oneLine(typeof title === 'string' ? title : '', 200), address: headOf(url, 2_000) }];
}
