import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { browserApplications, browserNames } from '../../src/extension/node/browser/findBrowser.ts';
import { findOnPath } from '../run.ts';

/** Usual paths on macOS and Windows. */
export const desktopPlaces: readonly string[] = [
  ...browserApplications,
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Flags: no sandbox, which root cannot have; no network requests of its own; as few processes as possible. */
const flags = [
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

/** Starts the Chromium at this path, headless. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: flags }).catch(error => {
    throw new Error(
      `${executablePath} does not start as a browser: install Chromium or Chrome, or set CHROMIUM_PATH to its program.`,
      { cause: error },
    );
  });
}

/** Returns the path of a Chromium. On Debian as root, installs the package if missing. */
export async function installChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  const problem = canUseApt() ? await installChromiumPackage() : undefined;
  const installed = findChromium();
  if (installed !== undefined) return installed;
  const why = problem === undefined ? '' : ` and apt-get could not install it (${problem})`;
  throw new Error(
    `There is no Chromium here${why}: install Chromium or Chrome, or set CHROMIUM_PATH to its program.`,
  );
}

/** Installs bubblewrap if missing, on Debian as root. */
export async function installBubblewrap(): Promise<void> {
  if (process.platform !== 'linux' || findOnPath(['bwrap']) !== undefined) return;
  const problem = canUseApt() ? await installPackage('bubblewrap') : undefined;
  if (findOnPath(['bwrap']) !== undefined) return;
  const why = problem === undefined ? '' : ` and apt-get could not install it (${problem})`;
  throw new Error(`There is no bubblewrap here${why}: install the package "bubblewrap" of your system.`);
}

/** Tries two package names, since older systems lack the first. Returns the last line of apt-get if both failed. */
async function installChromiumPackage(): Promise<string | undefined> {
  const problem = await installPackage('chromium-headless-shell');
  return problem === undefined ? undefined : await installPackage('chromium');
}

/** Installs a package. Returns the last line of apt-get if it failed. */
async function installPackage(
  name: 'chromium-headless-shell' | 'chromium' | 'bubblewrap',
): Promise<string | undefined> {
  console.error(`Installing ${name} from the packages of the system …`);
  // Parallel runs must wait for dpkg's lock instead of failing.
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=600'];
  // An outdated package list may still work, so only the second command counts.
  await aptGet([...options, 'update']);
  return await aptGet([...options, 'install', '-y', '--no-install-recommends', name]);
}

async function aptGet(args: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return await promisify(execFile)('apt-get', args, { env, maxBuffer: 64 * 2 ** 20 }).then(
    () => undefined,
    (error: { readonly stderr?: string }) => error.stderr?.trim().split('\n').at(-1) || String(error),
  );
}

function findChromium(): string | undefined {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (existsSync(wanted)) return wanted;
    throw new Error(
      `CHROMIUM_PATH names ${wanted}, which is not there. Set it to the program of a Chromium.`,
    );
  }
  return findOnPath(browserNames) ?? desktopPlaces.find(path => existsSync(path));
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}
