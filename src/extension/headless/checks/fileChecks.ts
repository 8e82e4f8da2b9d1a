import type { Diagnostic, DiagnosticReader, FileCheck } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';

/**
 * Diagnostics of a headless run, where no language tool watches the files. Checks the saved file before and after an
 * edit.
 */
export function fileChecks(files: Pick<FileSystem, 'stat'>, checks: readonly FileCheck[]): DiagnosticReader {
  const check = async (path: string, signal: AbortSignal) => {
    if ((await files.stat(path))?.kind !== 'file') return [];
    const found: Diagnostic[] = [];
    for (const each of checks) {
      signal.throwIfAborted();
      found.push(...(await each.check(path, signal)));
    }
    return found;
  };
  // Nothing changes between two checks.
  return { read: check, settle: check, settleAll: async () => true };
}
