/* The window that tests share, since opening one takes longer than most tests. */

import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Suite } from './suite.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** Contents of files by relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/**
 * Each test gets an empty workspace, a closed panel, a new session, no earlier decisions and its own settings. After a
 * failed test the window is replaced, so that the failure does not spread.
 */
export class SharedWindow {
  private readonly suite: Suite;
  private folder: string | undefined;
  private window: Workbench | undefined;

  constructor(suite: Suite) {
    this.suite = suite;
  }

  /** Removes leftovers of the previous test and fills the workspace. Returns its folder, always the same. */
  async makeWorkspace(files: Files): Promise<string> {
    this.folder ??= await realpath(await mkdtemp(join(tmpdir(), 'folio-workspace-')));
    await this.window?.evaluate('clearWindow');
    this.window?.cspProblems.splice(0);
    await rm(join(this.suite.home, '.folio'), { recursive: true, force: true });
    await emptyFolder(this.folder);
    await writeFiles(this.folder, files);
    return this.folder;
  }

  owns(folder: string | undefined): folder is string {
    return folder !== undefined && folder === this.folder;
  }

  /** Opens the window, after `makeWorkspace`. */
  async open(settings: Readonly<Record<string, unknown>>): Promise<Workbench> {
    if (!this.window) {
      const window = await openWorkbench({ ...this.suite, folder: this.folder });
      this.window = { ...window, close: () => this.discard() };
    }
    await this.window.replaceSettings(settings);
    return this.window;
  }

  /** Handles a failed test: saves a picture of the window, and ends a hung browser. */
  async giveUp(picture: string, window = this.window): Promise<void> {
    if (window) {
      console.error(`The page: ${await describeLife(window.page)}`);
      await window.savePicture(picture).catch(error => console.error(`No "${picture}": ${error}`));
      console.error(`The panel showed:\n${await panelText(window)}`);
    }
    await this.suite.browser.end();
    await this.discard();
  }

  /** Discards the window. The next test gets another one on another folder. */
  async discard(): Promise<void> {
    const { window, folder } = this;
    this.window = undefined;
    this.folder = undefined;
    await window?.page.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Describes whether page and frames respond. A hung page gives neither a picture nor text. */
async function describeLife(page: Page): Promise<string> {
  const drawn = () => new Promise<string>(resolve => requestAnimationFrame(() => resolve('draws')));
  const frames = page.frames().map(async frame => {
    const state = await inTime(frame.evaluate(() => document.readyState));
    return `${frame.url().slice(0, 80)}: ${state}`;
  });
  const reported = await Promise.all([inTime(page.evaluate(drawn)), ...frames]);
  return reported.join('\n  ');
}

/** Returns the value of a promise, or its state after some seconds. */
async function inTime(answer: Promise<string>): Promise<string> {
  const reported = answer.catch((error: unknown) => String(error));
  return await Promise.race([reported, sleep(10_000, 'no answer')]);
}

/** Returns the end of the text of the panel, for logs without pictures. */
async function panelText(window: Workbench): Promise<string> {
  try {
    return (await window.panel().locator('body').innerText({ timeout: 10_000 })).slice(-3000);
  } catch (error) {
    return `nothing that could be read (${error instanceof Error ? error.message : error})`;
  }
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
