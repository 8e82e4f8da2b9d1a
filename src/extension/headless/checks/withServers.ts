import type { Diagnostic, Diagnostics, FileCheck } from '../../platform/diagnostics.ts';

interface KnownProblems {
  /** Before an edit; `undefined`: nobody knows. */
  problemsBefore(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  readonly problems: Pick<Diagnostics, 'settle' | 'settleAll'>;
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
    settleAll: signal => servers.problems.settleAll(signal),
  };
}
