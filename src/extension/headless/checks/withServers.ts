import type { Diagnostic, Diagnostics, FileCheck } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';

interface KnownProblems {
  /** Before an edit; `undefined`: nobody knows. */
  problemsBefore(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  readonly problems: Pick<Diagnostics, 'settle' | 'calm'>;
}

/**
 * Joins the checks of a run with what language servers report on the same file and on those that use it. Only where
 * they knew the problems before an edit, those after it tell what is new. The grammar counts where no server has
 * reported: both find the same errors in words of their own, and each would be reported twice.
 */
export function withServers(checks: Diagnostics, syntax: FileCheck, servers: KnownProblems): Diagnostics {
  const known = new Set<string>();
  return {
    read: async (path, signal) => {
      const [checked, written, before] = await Promise.all([
        checks.read(path, signal),
        syntax.check(path, signal),
        servers.problemsBefore(path, signal),
      ]);
      if (before) known.add(path);
      else known.delete(path);
      return [...checked, ...written, ...(before ?? [])];
    },
    settle: async (path, signal) => {
      const [checked, after] = await Promise.all([
        checks.settle(path, signal),
        known.has(path) ? servers.problems.settle(path, signal) : undefined,
      ]);
      return checked && [...checked, ...(after ?? (await syntax.check(path, signal)))];
    },
    calm: signal => servers.problems.calm(signal),
  };
}

/** Checks a file on disk before and after an edit, where no language tool watches. */
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
  return { read: check, settle: check, calm: async () => true };
}
