import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import type { ProbeArgs, ProbeName, ProbeResult } from './probe/probes.ts';
import type { Suite } from './suite.ts';

/** Limits only catch what hangs: a slow machine takes minutes for what a fast one does in a second. */
export const limit = 240_000;

export interface WorkbenchOptions {
  /** Absolute, without symlinks; a window without a folder when it is left out. */
  readonly folder?: string;
  readonly theme?: Theme;
  /** `true` unless told. */
  readonly trusted?: boolean;
  /** The person's settings, for example `folio.baseUrl`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of the extension host, where it is to differ from the suite's; `null` takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>>;
}

export type Theme = keyof typeof themes;

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
  contrastLight: 'Default High Contrast Light',
} as const;

/** Tells what colours the window has. */
const themeClasses: Readonly<Record<Theme, string>> = {
  dark: 'vs-dark',
  light: 'vs',
  contrast: 'hc-black',
  contrastLight: 'hc-light',
};

/** A window of VS Code as a person has it before them. All waiting has a limit and then says what was awaited. */
export interface Workbench {
  readonly page: Page;
  /** What the page's console said was refused by a content security policy. */
  readonly cspTroubles: readonly string[];
  /** Runs code that only the extension API can. */
  evaluate<K extends ProbeName>(name: K, ...args: ProbeArgs<K>): Promise<ProbeResult<K>>;
  /** Brings Folio's view to the front; its page can be used through the frame returned. */
  openPanel(): Promise<FrameLocator>;
  /** Folio's page, two frames deep in VS Code's. */
  panel(): FrameLocator;
  /** Picks a command in the palette by its whole title, as a person does. */
  runCommand(title: string): Promise<void>;
  setTheme(theme: Theme): Promise<void>;
  /** Returns once the extension host of the reloaded window runs. */
  reload(): Promise<void>;
  /** The extension host crashes, and VS Code starts another; the page stays. */
  crashHost(): Promise<void>;
  /** Saves a picture into the folder of screenshots, which is not checked in. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(suite: Suite, options: WorkbenchOptions): Promise<Workbench> {
  const { server, browser, channel } = suite;
  const { folder = '' } = options;
  await server.writeSettings(settingsOf(options, options.theme ?? 'dark'));
  channel.forgetWindow(folder);
  const evaluate = <K extends ProbeName>(name: K, ...args: ProbeArgs<K>) =>
    channel.evaluate(folder, name, args, AbortSignal.timeout(limit));

  const page = await browser.newPage();
  page.setDefaultTimeout(limit);
  const cspTroubles: string[] = [];
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) cspTroubles.push(message.text());
  });
  await page.goto(options.folder ? server.urlOf(folder) : new URL('/?ew=true', server.urlOf('/')).href);
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
    for (const [name, value] of Object.entries(options.env ?? {})) {
      await evaluate('writeEnvironment', name, value);
    }
  }

  const panel = () =>
    page.frameLocator('iframe.webview[src*="extensionId=folio.folio"]').frameLocator('iframe#active-frame');

  return {
    page,
    cspTroubles,
    evaluate,
    panel,
    async openPanel() {
      await evaluate('executeCommand', 'workbench.view.extension.folio');
      await panel().locator('body > *').first().waitFor({ state: 'attached' });
      return panel();
    },
    runCommand: title => runCommand(page, title),
    async setTheme(theme) {
      await evaluate('writeSetting', 'workbench.colorTheme', themes[theme]);
      await page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
    },
    async reload() {
      channel.forgetWindow(folder);
      await page.reload();
      await waitUntilReady();
    },
    async crashHost() {
      await evaluate('crash');
      channel.forgetWindow(folder);
      await waitUntilReady();
    },
    async screenshot(name) {
      const pictures = join(import.meta.dirname, '..', 'screenshots');
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    },
    close: () => page.close(),
  };
}

function settingsOf(options: WorkbenchOptions, theme: Theme): Record<string, unknown> {
  return {
    'workbench.colorTheme': themes[theme],
    'security.workspace.trust.enabled': options.trusted === false,
    'security.workspace.trust.startupPrompt': 'never',
    // Terminals as text on the page, so that tests can read them.
    'terminal.integrated.gpuAcceleration': 'off',
    'workbench.reduceMotion': 'on',
    // The ports of the tests' own servers are nobody's business.
    'remote.autoForwardPorts': false,
    ...options.settings,
  };
}

async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input');
  // A row's label starts with the command's title, a key binding may follow.
  const row = page.locator(`.quick-input-list [role="option"][aria-label^="${title}"]`).first();
  // VS Code gives a view that was just opened the focus once more a little later, which closes the palette.
  for (const timeout of [10_000, 30_000, limit]) {
    try {
      await page.keyboard.press('F1');
      await input.fill(`>${title}`, { timeout });
      await row.click({ timeout });
      return;
    } catch (error) {
      if (timeout === limit) throw error;
    }
  }
}
