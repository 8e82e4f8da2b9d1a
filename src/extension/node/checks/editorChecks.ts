import type { DiagnosticReader } from '../../platform/diagnostics.ts';
import { type SyntaxPorts, syntaxCheck } from './syntaxCheck.ts';

/** Combines the diagnostics of an editor's language tools with a syntax check of files for which they reported none. */
export function editorChecks(tools: DiagnosticReader, ports: SyntaxPorts): DiagnosticReader {
  const syntax = syntaxCheck(ports);
  return {
    read: async (path, signal) => [
      ...(await tools.read(path, signal)),
      ...(await syntax.check(path, signal)),
    ],
    settle: async (path, signal) => (await tools.settle(path, signal)) ?? (await syntax.check(path, signal)),
    settleAll: signal => tools.settleAll(signal),
  };
}
