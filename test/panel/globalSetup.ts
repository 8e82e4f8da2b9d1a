/* The page of all panels, built once and served from memory. */

import type { TestProject } from 'vitest/node';
import { startPanelServer } from './panelServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly panelAddress: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPanelServer();
  project.provide('panelAddress', server.address);
  return () => server.close();
}
