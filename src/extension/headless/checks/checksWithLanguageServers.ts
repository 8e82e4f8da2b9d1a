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
export class ChecksWithLanguageServers implements DiagnosticReader {
  private readonly checks: DiagnosticReader;
  private readonly syntax: FileCheck;
  private readonly servers: KnownProblems;
  /** Paths of files whose problems the servers knew. */
  private readonly known = new Set<string>();

  constructor(checks: DiagnosticReader, syntax: FileCheck, servers: KnownProblems) {
    this.checks = checks;
    this.syntax = syntax;
    this.servers = servers;
  }

  async read(path: string, signal: AbortSignal) {
    const [checked, written, before] = await Promise.all([
      this.checks.read(path, signal),
      this.syntax.check(path, signal),
      this.servers.problemsBefore(path, signal),
    ]);
    if (before) this.known.add(path);
    else this.known.delete(path);
    return [...checked, ...written, ...(before ?? [])];
  }

  async settle(path: string, signal: AbortSignal) {
    const [checked, after] = await Promise.all([
      this.checks.settle(path, signal),
      this.known.has(path) ? this.servers.problems.settle(path, signal) : undefined,
    ]);
    return checked && [...checked, ...(after ?? (await this.syntax.check(path, signal)))];
  }

  settleAll(signal: AbortSignal) {
    return this.servers.problems.settleAll(signal);
  }
}
