import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './run.ts';

/** Maximum bytes of the .vsix. */
export const vsixLimit = 5_700_000;

/**
 * Packs the build in `folder` into `file`, and returns the output of the packager. Reproducible: entries are sorted and
 * have a fixed time and time zone.
 */
export async function packVsix(folder: string, file: string): Promise<string> {
  const vsce = join(projectRoot, 'node_modules', '@vscode', 'vsce', 'vsce');
  // The bundles include all needed packages.
  const args = [vsce, 'package', '--no-dependencies', '--out', file];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2000, 0, 1) / 1000), TZ: 'UTC' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return stdout + stderr;
}
