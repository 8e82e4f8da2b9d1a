import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '../processes/programs.ts';

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const applications = [
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
  if (process.platform === 'darwin') return applications.find(path => existsSync(path));
  if (process.platform !== 'win32') return names.map(name => programs.find(name)).find(Boolean);
  const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
    root => root !== undefined,
  );
  return onWindows.flatMap(path => roots.map(root => join(root, path))).find(path => existsSync(path));
}
