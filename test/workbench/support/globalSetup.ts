/* Fetches what the suite needs before the first test, because that may take minutes and is not a test. */

import type { TestProject } from 'vitest/node';
import { installChromium } from '../../../scripts/vscodeHost/chromium.ts';
import { installServer } from '../../../scripts/vscodeHost/install.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly serverInstallation: string;
    readonly chromiumPath: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('serverInstallation', await installServer());
  project.provide('chromiumPath', await installChromium());
}
