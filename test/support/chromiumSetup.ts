/* Finds Chromium for the panel and workbench tests, and tells every worker its path. */

import type { TestProject } from 'vitest/node';
import { installChromium, launchChromium } from '../../scripts/vscodeHost/chromium.ts';
import { prepare } from './prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly chromiumPath: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('chromiumPath', await prepare(installWorkingChromium));
}

/** Starts it once, so that a broken browser is reported once instead of by every test. */
async function installWorkingChromium(): Promise<string> {
  const path = await installChromium();
  const browser = await launchChromium(path);
  await browser.close();
  return path;
}
