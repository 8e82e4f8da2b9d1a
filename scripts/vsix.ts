import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './run.ts';

/** Bytes that the .vsix may have. */
export const vsixLimit = 5_700_000;

/**
 * Packs what is built in `folder` into `file`, and returns what the packager said. The same content gives the same
 * bytes: the packager then sorts the entries, and all have one time, in one time zone.
 */
export async function packVsix(folder: string, file: string): Promise<string> {
  const vsce = join(projectRoot, 'node_modules', '@vscode', 'vsce', 'vsce');
  // The bundle holds all that is needed of the packages.
  const args = [vsce, 'package', '--no-dependencies', '--out', file];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2000, 0, 1) / 1000), TZ: 'UTC' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return stdout + stderr;
}
