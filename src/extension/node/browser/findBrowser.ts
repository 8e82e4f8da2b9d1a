import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramFinder } from '../processes/programs.ts';

/** The headless shell comes first, because it draws no window and needs a quarter less CPU time. */
export const browserNames: readonly string[] = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

export const browserApplications: readonly string[] = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const onWindows = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** Finds the user's Chromium, Chrome or Edge, never one of the workspace. */
export function findBrowser(
  programs: Pick<ProgramFinder, 'find'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (process.platform === 'darwin') return browserApplications.find(path => existsSync(path));
  if (process.platform !== 'win32') {
    for (const name of browserNames) {
      const found = programs.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
    root => root !== undefined,
  );
  return onWindows.flatMap(path => roots.map(root => join(root, path))).find(path => existsSync(path));
}
