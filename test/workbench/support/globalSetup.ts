/* The VS Code server that all windows of the suite are served by. */

import type { TestProject } from 'vitest/node';
import { installServer } from '../../../scripts/vscodeHost/install.ts';
import { prepare } from '../../support/prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly serverInstallation: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('serverInstallation', await prepare(installServer));
}
