import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const desktopPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** For Playwright: no sandbox, because it cannot be had as root; nothing that calls home; as few processes as can be. */
export const chromiumArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--renderer-process-limit=1',
];

/** The path of a Chromium, installed through Debian's package when there is none and this runs as root there. */
export async function installChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (canUseApt()) {
    console.error('Installing Chromium from the system’s packages …');
    const environment = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env: environment, quiet: true });
    const args = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
    await run('apt-get', args, { env: environment, quiet: true });
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error('No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to its program.');
}

function findChromium(): string | undefined {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (existsSync(wanted)) return wanted;
    throw new Error(
      `CHROMIUM_PATH names ${wanted}, which is not there. Set it to the program of a Chromium.`,
    );
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  const onPath = folders.flatMap(folder => names.map(name => join(folder, name)));
  return [...onPath, ...desktopPlaces].find(path => existsSync(path));
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}
