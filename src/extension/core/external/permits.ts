/*
 * What a user, or a rule, let an external agent do holds for the request by which the agent then does it, once, and only
 * for what was shown: the same line, or the same text.
 */

import type { Calling } from '../calls/calling.ts';
import type { ExternalEdit } from './externalAgent.ts';
import type { OwnCall } from './externalTool.ts';

export class Permits {
  private readonly edits: ExternalEdit[] = [];
  private readonly lines: string[] = [];

  add({ facts, commandLine, deed }: OwnCall): void {
    this.edits.push(...(facts.edits ?? []));
    if (deed === 'run' && commandLine !== undefined) this.lines.push(commandLine);
  }

  takeEdit(path: string, content: string): boolean {
    return take(this.edits, edit => edit.path === path && edit.after === content);
  }

  takeLine(line: string): boolean {
    return take(this.lines, each => each === line);
  }
}

function take<T>(all: T[], isMeant: (each: T) => boolean): boolean {
  const at = all.findIndex(isMeant);
  if (at >= 0) all.splice(at, 1);
  return at >= 0;
}

/** Asks nothing; what is denied stays denied. @param all it has happened already */
export function permitting(policy: Calling['policy'], all?: 'all'): Calling['policy'] {
  return {
    interactive: policy.interactive,
    classify: async query => {
      if (all) return { kind: 'allow' };
      const verdict = await policy.classify(query);
      if (verdict.kind !== 'ask') return verdict;
      return { kind: 'allow', reads: verdict.reads, sandboxed: verdict.sandboxed };
    },
    classifyHosts: (query, hosts) => policy.classifyHosts(query, hosts),
    onlyReads: line => policy.onlyReads(line),
    forbids: (tool, mode, agent) => policy.forbids(tool, mode, agent),
    remember: offer => policy.remember(offer),
  };
}
