import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '../processes/programs.ts';

/** First the one that draws no window around the page, which takes a quarter less of the processor's time. */
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

/** The user's Chromium, Chrome or Edge, never one that the workspace supplies. */
export function findBrowser(
  programs: Pick<Programs, 'find'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (process.platform === 'darwin') return browserApplications.find(path => existsSync(path));
  if (process.platform !== 'win32') return browserNames.map(name => programs.find(name)).find(Boolean);
  const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
    root => root !== undefined,
  );
  return onWindows.flatMap(path => roots.map(root => join(root, path))).find(path => existsSync(path));
}
