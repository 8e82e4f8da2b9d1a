/*
 * Permissions that an external agent has got. Each holds once, for the request by which the agent then does the work,
 * and only for what was shown: the same change of the same file, or the same line in the same folder.
 */

import type { Calling } from '../calls/calling.ts';
import type { ExternalEdit } from './externalAgent.ts';

interface PermittedLine {
  readonly line: string;
  readonly cwd: string;
}

export class Permits {
  private readonly edits: ExternalEdit[] = [];
  private readonly lines: PermittedLine[] = [];

  addEdit(edit: ExternalEdit): void {
    this.edits.push(edit);
  }

  addLine(line: string, cwd: string): void {
    this.lines.push({ line, cwd });
  }

  /** @param done the whole texts of the file; a permitted edit may show a part of it */
  takeEdit(done: ExternalEdit): boolean {
    return take(this.edits, shown => shown.path === done.path && resultOf(shown, done.before) === done.after);
  }

  takeLine(line: string, cwd: string): boolean {
    return take(this.lines, shown => shown.line === line && shown.cwd === cwd);
  }
}

/** The text after an edit that was shown; `undefined`: it does not fit this text, or fits it in several places. */
function resultOf({ before, after }: ExternalEdit, text: string | null): string | undefined {
  if (before === text) return after;
  // An empty file, or none, may be shown as either.
  if (!before || !text) return before || text ? undefined : after;
  const at = text.indexOf(before);
  if (at < 0 || text.includes(before, at + 1)) return undefined;
  return text.slice(0, at) + after + text.slice(at + before.length);
}

function take<T>(all: T[], isMeant: (each: T) => boolean): boolean {
  const at = all.findIndex(isMeant);
  if (at >= 0) all.splice(at, 1);
  return at >= 0;
}

/** Asks nothing where it is permitted; denials of the rules stay. */
export function permitting(policy: Calling['policy'], isPermitted: () => boolean): Calling['policy'] {
  return classifying(policy, async query => {
    const verdict = await policy.classify(query);
    if (verdict.kind !== 'ask' || !isPermitted()) return verdict;
    return { kind: 'allow', reads: verdict.reads, sandboxed: verdict.sandboxed };
  });
}

/** For calls that the agent reports after it began them: no rule can hold them up. */
export function reporting(policy: Calling['policy']): Calling['policy'] {
  return classifying(policy, async () => ({ kind: 'allow' }));
}

function classifying(policy: Calling['policy'], classify: Calling['policy']['classify']): Calling['policy'] {
  return {
    interactive: policy.interactive,
    classify,
    classifyHosts: (query, hosts) => policy.classifyHosts(query, hosts),
    onlyReads: line => policy.onlyReads(line),
    forbids: (tool, mode, agent) => policy.forbids(tool, mode, agent),
    remember: offer => policy.remember(offer),
  };
}
