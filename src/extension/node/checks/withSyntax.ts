import type { Diagnostics, FileCheck } from '../../platform/diagnostics.ts';

/** What language tools say, and the syntax of a file about which none has spoken. */
export function withSyntax(tools: Diagnostics, syntax: FileCheck): Diagnostics {
  return {
    read: async (path, signal) => [
      ...(await tools.read(path, signal)),
      ...(await syntax.check(path, signal)),
    ],
    settle: async (path, signal) => (await tools.settle(path, signal)) ?? (await syntax.check(path, signal)),
    calm: signal => tools.calm(signal),
  };
}
