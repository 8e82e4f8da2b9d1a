import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errors, type FrameLocator, type Page } from 'playwright-core';
import { quietSettings, type WorkbenchServer } from '../../../scripts/vscodeHost/server.ts';
import type { ProbeArgs, ProbeName, ProbeResult } from './probe/probes.ts';
import type { ProbeChannel } from './probeChannel.ts';
import type { TestBrowser } from './testBrowser.ts';

/** Timeout in milliseconds that only a hang reaches, also on a slow machine. */
export const limit = 240_000;

/** User settings of all test windows. */
export const settingsOfTests: Readonly<Record<string, unknown>> = {
  'workbench.colorTheme': 'Default Dark Modern',
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  // As on a desktop. With auto save VS Code loses a redo during the save of an undo, so that buffer and file differ.
  'files.autoSave': 'off',
  // Terminals as text on the page, so that tests can read them.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.reduceMotion': 'on',
  // Editors stay as tests arrange them.
  'folio.review.openFirstChange': false,
  // Ports of the tests' servers must not be forwarded.
  'remote.autoForwardPorts': false,
  // TypeScript's server would download types by npm.
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
};

/** What a window is opened on. */
export interface WindowPlace {
  readonly server: WorkbenchServer;
  readonly browser: TestBrowser;
  readonly channel: ProbeChannel;
  /** Absolute, without symlinks, or a `.code-workspace`; a window without a folder when it is left out. */
  readonly folder?: string;
  /** VS Code's display language for what it loads by it, such as extensions; its own words stay English. */
  readonly language?: string;
}

type Theme = keyof typeof themes;

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
  contrastLight: 'Default High Contrast Light',
} as const;

/** Body classes by theme. */
const themeClasses: Readonly<Record<Theme, string>> = {
  dark: 'vs-dark',
  light: 'vs',
  contrast: 'hc-black',
  contrastLight: 'hc-light',
};

/** A window of VS Code. All waits have a timeout that names what was awaited. */
export interface Workbench {
  readonly page: Page;
  /** Violations of content security policies in the console. */
  readonly cspProblems: string[];
  /** Runs code with the extension API. */
  evaluate<K extends ProbeName>(name: K, ...args: ProbeArgs<K>): Promise<ProbeResult<K>>;
  /** Opens Folio's view and returns the frame of its page. */
  openPanel(): Promise<FrameLocator>;
  /** Returns the page in the side bar, which VS Code nests in two frames. */
  panel(): FrameLocator;
  /** Returns the page in the visible tab with this index, from 0. */
  tab(index: number): FrameLocator;
  /** Runs a command by its full title in the palette. */
  runCommand(title: string): Promise<void>;
  /** Reads the user settings, including changes by Folio. */
  readSettings(): Promise<Readonly<Record<string, unknown>>>;
  /** Replaces the user settings, besides `settingsOfTests`, and waits until the window has them. */
  replaceSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Reloads the window and waits for its extension host. @param away called while no window is open */
  reload(away?: () => Promise<void>): Promise<void>;
  /** Crashes the extension host. VS Code starts another; the page stays. */
  crashHost(): Promise<void>;
  /** Takes pictures in all themes, only in `npm run look`. */
  screenshot(name: string): Promise<void>;
  /** Saves a picture into the ignored folder of screenshots. */
  savePicture(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(place: WindowPlace): Promise<Workbench> {
  const { server, browser, channel, folder = '', language } = place;
  channel.forgetWindow(folder);
  const evaluate = <K extends ProbeName>(name: K, ...args: ProbeArgs<K>) =>
    channel.evaluate(folder, name, args, AbortSignal.timeout(limit));

  const page = await browser.openPage();
  page.setDefaultTimeout(limit);
  // A language pack would set it before anything else is loaded, together with VS Code's own words.
  if (language)
    await page.addInitScript(tag => Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: tag }), language);
  // A page behind that of another test has no focus, and Folio would notify of what a user at the window sees.
  await page.addInitScript(() => {
    if (window === window.top) document.hasFocus = () => true;
  });
  const cspProblems: string[] = [];
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) cspProblems.push(message.text());
  });
  await page.goto(folder ? server.urlOf(folder) : new URL('/?ew=true', server.urlOf('/')).href);
  await waitUntilReady();

  async function waitUntilReady(): Promise<void> {
    await page.locator('.monaco-workbench').waitFor();
    try {
      await channel.waitForWindow(folder, AbortSignal.timeout(limit / 2));
    } catch {
      // VS Code gives an extension host that starts too slowly up, and a second start finds its caches warm.
      await page.reload();
      await channel.waitForWindow(folder, AbortSignal.timeout(limit));
    }
  }

  async function setTheme(theme: Theme): Promise<void> {
    await evaluate('writeSetting', 'workbench.colorTheme', themes[theme]);
    await page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  async function savePicture(name: string): Promise<void> {
    const pictures = join(import.meta.dirname, '..', 'screenshots');
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), timeout: limit / 4 });
  }

  const pageIn = (frame: string, index: number) =>
    withoutAnnouncements(page.locator(frame).nth(index).contentFrame().frameLocator('iframe#active-frame'));
  const frames = 'iframe.webview[src*="extensionId=folio.folio"]';
  // A view that is shown again loses its purpose in the address: a test with tabs needs a window of its own.
  const view = '[src*="purpose=webviewView"]';
  const panel = () => pageIn(`${frames}${view}, body:not(:has(${frames}${view})) ${frames}`, 0);
  const tab = (index: number) => pageIn(`${frames}:not(${view})`, index);

  return {
    page,
    cspProblems,
    evaluate,
    panel,
    tab,
    async openPanel() {
      await evaluate('executeCommand', 'workbench.view.extension.folio');
      await panel().locator('body > *').first().waitFor({ state: 'attached' });
      return panel();
    },
    runCommand: title => runCommand(page, title),
    readSettings: () => server.readSettings(),
    async replaceSettings(settings) {
      const before = await server.readSettings();
      const after: Record<string, unknown> = { ...quietSettings, ...settingsOfTests, ...settings };
      for (const name of Object.keys({ ...before, ...after })) {
        if (!isDeepStrictEqual(before[name], after[name]))
          await evaluate('writeSetting', name, after[name] ?? null);
      }
    },
    async reload(away) {
      const place = page.url();
      if (away) {
        await page.goto('about:blank');
        await away();
        channel.forgetWindow(folder);
        await page.goto(place);
      } else {
        // A page that is just left loses what VS Code has not stored yet, in the end whole tabs.
        const left = page.waitForEvent('domcontentloaded', { timeout: limit });
        evaluate('executeCommand', 'workbench.action.reloadWindow').catch(() => undefined);
        await left;
        channel.forgetWindow(folder);
      }
      await waitUntilReady();
    },
    async crashHost() {
      await evaluate('crash');
      channel.forgetWindow(folder);
      // VS Code asks before it starts a third one within five minutes.
      const again = page.getByRole('button', { name: /^Restart .*Extension Host$/ });
      // The window may be closed before it ever asks.
      again.click({ timeout: 0 }).catch(() => undefined);
      await waitUntilReady();
    },
    async screenshot(name) {
      if (process.env.FOLIO_LOOK === undefined) return;
      for (const theme of ['contrast', 'contrastLight', 'light', 'dark'] as const) {
        await setTheme(theme);
        await savePicture(`${name}-${theme}`);
      }
    },
    savePicture,
    close: () => page.close(),
  };
}

/**
 * VS Code gives a view that was just opened the focus once more a little later, which closes the palette: then it is
 * opened again.
 */
async function runCommand(page: Page, title: string): Promise<void> {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    await page.keyboard.press('F1');
    if (await pickCommand(page, title)) return;
  }
  throw new Error(`The palette did not offer "${title}".`);
}

/** `false` when the palette closes, or gives no sign for some seconds. */
async function pickCommand(page: Page, title: string): Promise<boolean> {
  const timeout = 5000;
  // A row's label starts with the command's title, a key binding may follow.
  const row = page.locator(`.quick-input-list [role="option"][aria-label^="${title}"]`).first();
  const closed = page.locator('.quick-input-widget').filter({ visible: false });
  try {
    await page.locator('.quick-input-widget input').fill(`>${title}`, { timeout });
    await row.or(closed).first().waitFor({ state: 'attached', timeout });
    await row.click({ timeout });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** A test looks for the words that a user sees; those for screen readers stand on the page beside them. */
function withoutAnnouncements(frame: FrameLocator): FrameLocator {
  const seen = frame.locator(':not([data-announcer], [data-announcer] *)');
  const getByText: FrameLocator['getByText'] = (...words) => frame.getByText(...words).and(seen);
  return Object.assign(Object.create(frame) as FrameLocator, { getByText });
}
