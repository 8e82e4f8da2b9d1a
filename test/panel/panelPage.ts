/* The panel's page with a host of the test's own: facts go in, intentions come out. */

import type { ConsoleMessage, Page } from 'playwright-core';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../src/extension/vscode/panel/shownSession.ts';
import type { EmittedEvent } from '../../src/protocol/fold/agents.ts';
import { reduceWithAgents } from '../../src/protocol/fold/reduceAgents.ts';
import type { ToHost } from '../../src/protocol/intentions.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { Environment, ToWebview } from '../../src/protocol/panel/messages.ts';
import type { FromPageTab, ToPageTab } from '../../src/protocol/panel/pageTab.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { type ThemeName, themes } from '../support/themes.ts';
import type { PageLanguage } from './pageLanguages.ts';
import type { Pages } from './pages.ts';

export interface PanelOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly language?: PageLanguage;
  /** What the page had remembered before. */
  readonly memory?: unknown;
  readonly environment?: Partial<Environment>;
  /** Requests whose address matches are never answered. */
  readonly refuse?: RegExp;
  /** `page`: the tab of a page that the user has, without a session. Absent: the panel. */
  readonly shows?: 'page';
  /** `null` leaves the page without a session. */
  readonly state?: SessionState | null;
}

export interface PanelPage {
  readonly page: Page;
  send(...facts: readonly (ToWebview | ToPageTab)[]): Promise<void>;
  /** The session continues. */
  play(events: readonly EmittedEvent[]): Promise<void>;
  /** The host shows this session, perhaps another one than before. */
  show(state: SessionState): Promise<void>;
  intentions(): Promise<readonly ToHost[]>;
  /** Waits until the page has sent an intention of this type and gives the newest. */
  intention<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>>;
  memory(): Promise<unknown>;
  /** What the policy refused and what the console reported as errors. */
  problems(): Promise<readonly string[]>;
  /** Makes room for another panel. */
  close(): Promise<void>;
}

export const environment: Environment = {
  connection: 'key',
  trusted: true,
  folders: ['/home/ann/invoices'],
  models: [
    { id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextLimit: 1_048_576 },
    { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextLimit: 1_048_576 },
  ],
  activeFile: 'src/invoice.ts',
  foldFinishedChapters: true,
  spoken: { asks: true, progress: true, hints: true },
  efforts: {},
  unseen: [],
};

/**
 * Loads the panel into a page, whatever that showed before. It waits inside of the page, here and below: to wait by
 * `waitForFunction`, Playwright would bring its own 300 KB of script into the page's world again for each document.
 */
export async function openPanel(
  pages: Pages,
  address: string,
  options: PanelOptions = {},
): Promise<PanelPage> {
  const { width = 340, height = 760, theme = 'dark', language = 'en' } = options;
  const { memory, refuse, state = emptySession } = options;
  const page = await pages.take();
  const shown = page.viewportSize();
  if (shown?.width !== width || shown.height !== height) await page.setViewportSize({ width, height });
  if (refuse) await page.route(refuse, () => undefined);
  const problem = watchErrors(page);
  const shows = options.shows ?? 'panel';
  await page.goto(addressOf(address, language, shows, { theme, memory }), { waitUntil: 'commit' });
  const facts: ToWebview[] = [
    { type: 'environment.changed', environment: { ...environment, ...options.environment } },
  ];
  const host = makeHost(state ?? emptySession);
  if (state) facts.push(...host.begin());
  if (shows === 'page') facts.splice(0);
  await page.evaluate(
    async ([list, isWhole]) => {
      const host = window as unknown as HostWindow;
      await host.isReady;
      await host.deliver(list);
      // Buttons take the focus from when they are defined.
      if (isWhole) await customElements.whenDefined('vscode-button');
    },
    [facts, refuse === undefined && shows === 'panel'] as const,
  );
  const asks = ['waiting', 'choosing'].includes(state?.activity.status ?? '');
  if (asks && !refuse) await settled(page);
  return makePanel(page, host, problem.errors, async () => {
    problem.forget();
    if (refuse) await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Nothing of the next panel lies under the pointer before its test puts it there.
    await page.mouse.move(-1, -1);
    await pages.giveBack(page);
  });
}

export async function preparePanelPage(page: Page): Promise<void> {
  await page.addInitScript(actAsHost, themes);
}

/** What the host of a document begins with. */
interface Begin {
  readonly theme: ThemeName;
  readonly memory: unknown;
}

let loads = 0;

/** The query makes the browser load the page again; what comes behind it never reaches the server. */
function addressOf(address: string, language: PageLanguage, shows: 'panel' | 'page', begin: Begin): string {
  loads += 1;
  return `${address}?language=${language}&shows=${shows}&${loads}#${encodeURIComponent(JSON.stringify(begin))}`;
}

/** Collects the errors of the next document. What the one before it still says does not count. */
function watchErrors(page: Page): { readonly errors: readonly string[]; forget(): void } {
  const errors: string[] = [];
  let isThere = false;
  const onCommit = () => {
    isThere = true;
  };
  const onConsole = (message: ConsoleMessage) => {
    if (isThere && message.type() === 'error') errors.push(message.text());
  };
  const onError = (error: Error) => {
    if (isThere) errors.push(String(error));
  };
  page.on('framenavigated', onCommit).on('console', onConsole).on('pageerror', onError);
  const forget = () => {
    page.off('framenavigated', onCommit).off('console', onConsole).off('pageerror', onError);
  };
  return { errors, forget };
}

/** What asks has stood there long enough for a press to count. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const find = (selector: string) => document.querySelector(selector);
    while (find('[data-ask]') === null || find('[aria-disabled=true]') !== null)
      await new Promise(resolve => setTimeout(resolve, 20));
  });
}

/** The host answers no more for as long as the tab of a page waits for it. */
export async function fallSilent(page: Page): Promise<void> {
  await page.evaluate(() => {
    const host = window as unknown as HostWindow;
    host.isSilent = true;
    for (const run of [...host.repeated, ...host.repeated]) run();
  });
}

/** Presses this button in the very moment in which these words come up; returns once it is to happen. */
export async function pressAsItComes(
  page: Page,
  words: string,
  button: string,
): Promise<() => Promise<void>> {
  await page.evaluate(
    ([shown, name]) => {
      const watch = new MutationObserver(() => {
        if (!document.body.textContent?.includes(shown!)) return;
        const buttons = [...document.querySelectorAll<HTMLElement>('vscode-button')];
        const meant = buttons.find(each => (each.firstElementChild ?? each).textContent?.trim() === name);
        if (!meant) return;
        watch.disconnect();
        meant.click();
        document.body.dataset.pressed = shown;
      });
      watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    [words, button],
  );
  return () => page.locator(`body[data-pressed=${JSON.stringify(words)}]`).waitFor();
}

interface HostWindow extends Window {
  /** What the tab of a page sends, too. */
  posted: ToHost[];
  /** It answers no more whether it is there. */
  isSilent: boolean;
  /** What the page does at intervals, in the order of their beginnings. */
  repeated: (() => void)[];
  memory: unknown;
  refused: string[];
  /** Once the page has said that it is ready. */
  isReady: Promise<void>;
  /** Returns once the page has heard all of it. */
  deliver(facts: readonly (ToWebview | ToPageTab)[]): Promise<void>;
}

function makePanel(
  page: Page,
  host: TestHost,
  errors: readonly string[],
  close: () => Promise<void>,
): PanelPage {
  // A page that reports its focus expresses no intention of the user.
  const intentions = async () => {
    const posted = await page.evaluate(() => (window as unknown as HostWindow).posted);
    return posted.filter(({ type }) => type !== 'panel.focused');
  };
  const send = (...facts: readonly (ToWebview | ToPageTab)[]) =>
    page.evaluate(list => (window as unknown as HostWindow).deliver(list), facts);
  return {
    page,
    send,
    play: events => send(...host.play(events)),
    show: state => send(...host.show(state)),
    intentions,
    intention: async <T extends ToHost['type']>(type: T) => {
      const found = await page.evaluate(async wanted => {
        const { posted } = window as unknown as HostWindow;
        for (;;) {
          const newest = posted.findLast(each => each.type === wanted);
          if (newest) return newest;
          await new Promise(resolve => setTimeout(resolve, 10));
        }
      }, type as string);
      return found as Extract<ToHost, { type: T }>;
    },
    memory: () => page.evaluate(() => (window as unknown as HostWindow).memory),
    problems: async () => [
      ...errors,
      ...(await page.evaluate(() => (window as unknown as HostWindow).refused)),
    ],
    close,
  };
}

type TestHost = ReturnType<typeof makeHost>;

/** Folds events and says what the extension's own feed would say of it to a page that asks for everything. */
function makeHost(begun: SessionState) {
  let state = begun;
  let isBegun = false;
  const reported: ToWebview[] = [];
  const feed = new PanelFeed(
    fact => reported.push(fact),
    () => state,
  );
  const loadAll = () => {
    const items = state.chapters.flatMap(chapter => [chapter, ...iterate(chapter.items)]);
    for (const { id } of items) feed.load(id);
    return reported.splice(0);
  };
  return {
    begin: () => {
      isBegun = true;
      feed.attach(state => new ShownSession(state));
      return loadAll();
    },
    play: (events: readonly EmittedEvent[]) => {
      state = events.reduce(reduceWithAgents, state);
      feed.update();
      return reported.splice(0);
    },
    show: (next: SessionState) => {
      state = next;
      if (isBegun) feed.update();
      else feed.attach(state => new ShownSession(state));
      isBegun = true;
      return loadAll();
    },
  };
}

/** Runs in the page before anything else, as VS Code's own script does. */
function actAsHost(all: typeof themes): void {
  // A frame of the page has no host.
  if (window.parent !== window) return;
  // VS Code deletes the ways out of the page's frame (`pre/index.html` of its webviews).
  for (const name of ['parent', 'frameElement']) Reflect.deleteProperty(window, name);
  const { theme: name, memory } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Begin;
  const theme = all[name];
  const host = window as unknown as HostWindow & { acquireVsCodeApi: unknown };
  host.posted = [];
  host.refused = [];
  host.memory = memory;
  let reportReady = () => {};
  host.repeated = [];
  const { setInterval } = window;
  window.setInterval = ((run: () => void, ms: number) => {
    host.repeated.push(run);
    return setInterval(run, ms);
  }) as typeof window.setInterval;
  host.isReady = new Promise(resolve => {
    reportReady = resolve;
  });
  host.deliver = async facts => {
    for (const fact of facts) window.postMessage(fact, '*');
    // Messages arrive in order: when this one is here, which means nothing to the page, it has heard the others.
    const last = crypto.randomUUID();
    await new Promise<void>(resolve => {
      const onMessage = ({ data }: MessageEvent) => {
        if (data !== last) return;
        window.removeEventListener('message', onMessage);
        resolve();
      };
      window.addEventListener('message', onMessage);
      window.postMessage(last, '*');
    });
  };
  let isAcquired = false;
  host.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('acquireVsCodeApi was called twice.');
    isAcquired = true;
    return {
      postMessage: (message: ToHost | FromPageTab) => {
        host.posted.push(structuredClone(message) as ToHost);
        if (message.type === 'panel.ready' || message.type === 'ready') reportReady();
        if (message.type === 'alive' && !host.isSilent) window.postMessage({ type: 'alive' }, '*');
      },
      getState: () => host.memory,
      setState: (state: unknown) => {
        host.memory = structuredClone(state);
      },
    };
  };
  document.addEventListener('securitypolicyviolation', event => {
    host.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
  });
  const dress = () => {
    for (const [name, value] of Object.entries(theme.variables))
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    document.body.className = theme.bodyClass;
    document.body.dataset.vscodeThemeKind = theme.kind;
  };
  document.addEventListener('DOMContentLoaded', dress);
}
