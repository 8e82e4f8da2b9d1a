import type { Diagnostic, DiagnosticReader, FileCheck } from '../../platform/diagnostics.ts';

interface KnownProblems {
  /** Problems before an edit. `undefined` if unknown. */
  problemsBefore(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  readonly problems: Pick<DiagnosticReader, 'settle' | 'settleAll'>;
}

/**
 * Combines a run's checks with what language servers report on the file and its users. Problems after an edit count as
 * new only if the servers knew those before it. The syntax check counts only if no server reported, since both find the
 * same errors in different words.
 */
export function withLanguageServers(
  checks: DiagnosticReader,
  syntax: FileCheck,
  servers: KnownProblems,
): DiagnosticReader {
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
