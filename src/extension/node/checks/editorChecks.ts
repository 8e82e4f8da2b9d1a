import type { Diagnostics } from '../../platform/diagnostics.ts';
import { type SyntaxPorts, syntaxCheck } from './syntaxCheck.ts';

/** The problems that language tools of an editor know, and the syntax of a file about which none has spoken. */
export function editorChecks(tools: Diagnostics, ports: SyntaxPorts): Diagnostics {
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
