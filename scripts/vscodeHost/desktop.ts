import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { findOnPath } from '../run.ts';
import { cacheFolder } from './cacheFolder.ts';

/** A window can be shown here. */
export function hasDesktop(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** What VSCODE_PATH names; fails when that is not there. */
export function findNamedDesktop(): string | undefined {
  const wanted = process.env.VSCODE_PATH;
  if (!wanted) return undefined;
  if (existsSync(wanted)) return wanted;
  throw new Error(`VSCODE_PATH names ${wanted}, which is not there. Set it to the program of VS Code.`);
}

export function findDesktopOnPath(): string | undefined {
  return findOnPath([process.platform === 'win32' ? 'code.cmd' : 'code']);
}

/** `undefined` when there is no network for it; a copy in the cache folder is used again. */
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

/** What any start of a desktop VS Code needs here. */
export function desktopArgs(userDataFolder: string): readonly string[] {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return ['--user-data-dir', userDataFolder, '--skip-welcome', '--disable-telemetry', ...asRoot];
}

/**
 * Ends the VS Code that runs on this user data folder. The command-line program starts the real one apart from
 * itself, so it is found by the lock that it keeps in its own folder.
 */
export async function endDesktop(userDataFolder: string): Promise<void> {
  const lock = await readFile(join(userDataFolder, 'code.lock'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (Number.isNaN(pid)) return;
  try {
    process.kill(pid);
  } catch {
    // It has ended automatically and left its lock behind.
  }
}
