import type { Diagnostic, Diagnostics } from '../../platform/diagnostics.ts';

interface KnownProblems {
  /** Before an edit; `undefined`: nobody knows. */
  problemsBefore(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  readonly problems: Pick<Diagnostics, 'settle' | 'calm'>;
}

/**
 * The checks of a run, with what language servers say of the same file and of those that use it. Only where they knew
 * the problems before an edit, those after it tell what is new.
 */
export function withServers(checks: Diagnostics, servers: KnownProblems): Diagnostics {
  const known = new Set<string>();
  return {
    read: async (path, signal) => {
      const [checked, before] = await Promise.all([
        checks.read(path, signal),
        servers.problemsBefore(path, signal),
      ]);
      if (before) known.add(path);
      else known.delete(path);
      return [...checked, ...(before ?? [])];
    },
    settle: async (path, signal) => {
      const [checked, after] = await Promise.all([
        checks.settle(path, signal),
        known.has(path) ? servers.problems.settle(path, signal) : undefined,
      ]);
      return checked && [...checked, ...(after ?? [])];
    },
    calm: signal => servers.problems.calm(signal),
  };
}
