import type { Diagnostic, Diagnostics, FileCheck } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';

/**
 * The problems of a run without a window, where no language tool watches the files: a file is checked before and
 * after an edit, each time as it stands on the disk.
 */
export function fileChecks(files: Pick<FileSystem, 'stat'>, checks: readonly FileCheck[]): Diagnostics {
  const check = async (path: string, signal: AbortSignal) => {
    if ((await files.stat(path))?.kind !== 'file') return [];
    const found: Diagnostic[] = [];
    for (const each of checks) {
      signal.throwIfAborted();
      found.push(...(await each.check(path, signal)));
    }
    return found;
  };
  // Nobody is at work between two scans.
  return { read: check, settle: check, settleAll: async () => true };
}
