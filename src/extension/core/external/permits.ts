/*
 * Permissions of an external agent. Each is valid once, for the request that does the work, and only for what was
 * shown: the same change of the same file, or the same line in the same folder.
 */

import type { CallServices } from '../calls/calling.ts';
import type { ExternalEdit } from './externalAgent.ts';

export interface PermittedEdit {
  readonly edit: ExternalEdit;
  /** The card, which also represents the write. */
  readonly callId: string;
  readonly title: string;
  /** True if the user decided on it; false: the rules did. */
  readonly isSeen: boolean;
}

export class Permits {
  private readonly edits: PermittedEdit[] = [];
  private readonly seen: ExternalEdit[] = [];
  private readonly lines: { readonly line: string; readonly cwd: string }[] = [];

  addEdit(permitted: PermittedEdit): void {
    this.edits.push(permitted);
    if (permitted.isSeen) this.seen.push(permitted.edit);
  }

  addLine(line: string, cwd: string): void {
    this.lines.push({ line, cwd });
  }

  /** @param done complete texts of the file; a permitted edit may show a part */
  takeEdit(done: ExternalEdit): PermittedEdit | undefined {
    const { path, before, after } = done;
    return take(this.edits, ({ edit }) => edit.path === path && resultOf(edit, before) === after);
  }

  /** True if the edits seen by the user produce exactly this change of the file. */
  haveSeen({ path, before, after }: ExternalEdit): boolean {
    const edits = this.seen.filter(edit => edit.path === path);
    return edits.some((_edit, from) => {
      let text: string | null | undefined = before;
      for (const edit of edits.slice(from)) if (text !== undefined) text = resultOf(edit, text);
      return text === after;
    });
  }

  takeLine(line: string, cwd: string): boolean {
    return take(this.lines, shown => shown.line === line && shown.cwd === cwd) !== undefined;
  }
}

/** Returns the text after an edit; `undefined`: it matches nowhere, or in several places. */
function resultOf({ before, after }: ExternalEdit, text: string | null): string | undefined {
  if (before === text) return after;
  // An empty and a missing file may be shown as either.
  if (!before || !text) return before || text ? undefined : after;
  const at = text.indexOf(before);
  if (at < 0 || text.includes(before, at + 1)) return undefined;
  return text.slice(0, at) + after + text.slice(at + before.length);
}

function take<T>(all: T[], isMeant: (each: T) => boolean): T | undefined {
  const at = all.findIndex(isMeant);
  return at < 0 ? undefined : all.splice(at, 1)[0];
}

/** Skips the request for permitted calls. Denials of rules remain. */
export function allowPermitted(
  policy: CallServices['policy'],
  isPermitted: () => boolean,
): CallServices['policy'] {
  return classifying(policy, async query => {
    const verdict = await policy.classify(query);
    // If a rule already allows it, its card represents it nevertheless.
    if (verdict.kind === 'deny' || !isPermitted() || verdict.kind === 'allow') return verdict;
    return { kind: 'allow', reads: verdict.reads, sandboxed: verdict.sandboxed };
  });
}

/** For calls reported after they started: rules cannot block them. */
export function allowReported(policy: CallServices['policy']): CallServices['policy'] {
  return classifying(policy, async () => ({ kind: 'allow' }));
}

/** Attributes a write to the call whose card shows it. A write that the user saw there needs no review. */
export function attributeWrites(
  changes: CallServices['changes'],
  permitted: () => PermittedEdit | undefined,
): CallServices['changes'] {
  return {
    filesOf: (writer, scan) => {
      const card = permitted();
      if (!card) return changes.filesOf(writer, scan);
      const { callId, title: words, isSeen } = card;
      return changes.filesOf({ kind: 'call', callId, words }, isSeen ? 'seen' : scan);
    },
    watch: (call, run) => changes.watch(call, run),
  };
}

function classifying(
  policy: CallServices['policy'],
  classify: CallServices['policy']['classify'],
): CallServices['policy'] {
  return {
    interactive: policy.interactive,
    classify,
    classifyHosts: (query, hosts) => policy.classifyHosts(query, hosts),
    onlyReads: line => policy.onlyReads(line),
    forbids: (tool, mode, agent) => policy.forbids(tool, mode, agent),
    remember: offer => policy.remember(offer),
  };
}
