import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { findOnPath } from '../run.ts';
import { cacheFolder } from './cacheFolder.ts';

/** Returns true if a window can be shown. */
export function hasDesktop(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Returns the program in VSCODE_PATH; throws if it does not exist. */
export function findNamedDesktop(): string | undefined {
  const wanted = process.env.VSCODE_PATH;
  if (!wanted) return undefined;
  if (existsSync(wanted)) return wanted;
  throw new Error(`VSCODE_PATH names ${wanted}, which is not there. Set it to the program of VS Code.`);
}

export function findDesktopOnPath(): string | undefined {
  return findOnPath([process.platform === 'win32' ? 'code.cmd' : 'code']);
}

/** Downloads VS Code or returns the cached one; `undefined` without a network. */
export async function downloadDesktop(): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode({ cachePath: join(cacheFolder(), 'desktop') });
  } catch (error) {
    console.error(
      `VS Code could not be downloaded: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/** Returns arguments for every start of a desktop VS Code. */
export function desktopArgs(userDataFolder: string): readonly string[] {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return ['--user-data-dir', userDataFolder, '--skip-welcome', '--disable-telemetry', ...asRoot];
}

/**
 * Ends the VS Code that uses this user data folder. The command-line program starts it detached, so it is found by the
 * lock in its folder.
 */
export async function endDesktop(userDataFolder: string): Promise<void> {
  const lock = await readFile(join(userDataFolder, 'code.lock'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (Number.isNaN(pid)) return;
  try {
    process.kill(pid);
  } catch {
    // It has already ended and left its lock.
  }
}
