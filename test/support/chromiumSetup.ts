/* The Chromium of the panel's and the workbench's tests: every worker learns where it is. */

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

/** Started once here, so that a program that is no browser is told of once and not by every test. */
async function installWorkingChromium(): Promise<string> {
  const path = await installChromium();
  const browser = await launchChromium(path);
  await browser.close();
  return path;
}
