/* The panel's page with a host of the test's own: facts go in, intentions come out. */

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { Surroundings, ToHost, ToWebview } from '../../src/protocol/messages.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { type ThemeName, themes } from '../support/themes.ts';

export interface PanelOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What the page had remembered before. */
  readonly memory?: unknown;
  readonly surroundings?: Partial<Surroundings>;
  /** Requests whose address matches are never answered. */
  readonly refuse?: RegExp;
  /** `null` leaves the page without a snapshot. */
  readonly state?: SessionState | null;
}

export interface PanelPage {
  readonly page: Page;
  send(...facts: readonly ToWebview[]): Promise<void>;
  play(events: readonly SessionEvent[]): Promise<void>;
  intentions(): Promise<readonly ToHost[]>;
  /** Waits until the page has sent an intention of this type and gives the newest. */
  intention<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>>;
  memory(): Promise<unknown>;
  /** What the policy refused and what the console reported as errors. */
  troubles(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const surroundings: Surroundings = {
  connection: 'key',
  trusted: true,
  folders: ['/home/ann/invoices'],
  models: [
    { id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextLimit: 1_048_576 },
    { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextLimit: 1_048_576 },
  ],
  activeFile: 'src/invoice.ts',
  foldFinishedChapters: true,
  unseenHooks: [],
};

export async function openPanel(
  browser: Browser,
  address: string,
  options: PanelOptions = {},
): Promise<PanelPage> {
  const { width = 340, height = 760, theme = 'dark', state = emptySession } = options;
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', error => errors.push(String(error)));
  await page.addInitScript(actAsHost, { theme: themes[theme], memory: options.memory });
  if (options.refuse) await page.route(options.refuse, () => undefined);
  await page.goto(address, { waitUntil: 'commit' });
  const panel = makePanel(page, errors);
  await panel.intention('panel.ready');
  await panel.send({
    type: 'surroundings.changed',
    surroundings: { ...surroundings, ...options.surroundings },
  });
  if (state) await panel.send({ type: 'session.snapshot', state });
  const asks = ['waiting', 'choosing'].includes(state?.activity.status ?? '');
  if (asks && !options.refuse) await settled(page);
  return panel;
}

/** What asks has stood there long enough for a press to count. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[data-ask]').first().waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.querySelector('[aria-disabled=true]') === null);
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
        const meant = buttons.find(each => each.textContent?.trim() === name);
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
  posted: ToHost[];
  memory: unknown;
  refused: string[];
}

function makePanel(page: Page, errors: readonly string[]): PanelPage {
  const intentions = () => page.evaluate(() => (window as unknown as HostWindow).posted);
  const send = (...facts: readonly ToWebview[]) =>
    page.evaluate(list => {
      for (const fact of list) window.postMessage(fact, '*');
    }, facts);
  return {
    page,
    send,
    play: events => send({ type: 'session.events', events }),
    intentions,
    intention: async <T extends ToHost['type']>(type: T) => {
      await page.waitForFunction(
        wanted => (window as unknown as HostWindow).posted.some(each => each.type === wanted),
        type,
      );
      const found = (await intentions()).findLast(each => each.type === type);
      expect(found).toBeDefined();
      return found as Extract<ToHost, { type: T }>;
    },
    memory: () => page.evaluate(() => (window as unknown as HostWindow).memory),
    troubles: async () => [
      ...errors,
      ...(await page.evaluate(() => (window as unknown as HostWindow).refused)),
    ],
    close: () => page.context().close(),
  };
}

/** Runs in the page before anything else, as VS Code's own script does. */
function actAsHost({ theme, memory }: { theme: (typeof themes)[ThemeName]; memory: unknown }): void {
  const host = window as unknown as HostWindow & { acquireVsCodeApi: unknown };
  host.posted = [];
  host.refused = [];
  host.memory = memory;
  let isAcquired = false;
  host.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('acquireVsCodeApi was called twice.');
    isAcquired = true;
    return {
      postMessage: (message: ToHost) => host.posted.push(structuredClone(message)),
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
