/*
 * Tells the model about the user's decision on a plan, and finds an approved plan in the history, where it survives
 * rewind, resume and compression without separate storage.
 */

import type { Message, Part } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { cutMiddle } from '../../base/text.ts';
import { fileDiff } from '../../review/fileDiff.ts';

export interface DecidedPlan {
  /** Absolute. */
  readonly path: string;
  /** Text that the agent wrote to the file. */
  readonly written: string;
  /** Text when the user decided. */
  readonly present: string;
}

const exitPlanMode = 'exit_plan_mode';

/** Maximum characters of a plan, small enough that compression does not cut the result. */
export const planLimit = 30_000;

/** Characters of the plan that survive a compression. */
const keptLimit = 20_000;

export function isPlanEdited({ written, present }: DecidedPlan): boolean {
  return evened(written) !== evened(present);
}

export function describeApproval(plan: DecidedPlan, mode: ApprovalMode): string {
  const head = `The user approved the plan. Plan mode is off: ${modes[mode]} Carry the plan out now, in its order. Its file is ${plan.path}.`;
  if (!isPlanEdited(plan)) return `${head} They changed nothing in it.`;
  return [
    `${head} They changed it first. Only this text counts:`,
    inPlanTags(cutMiddle(evened(plan.present), planLimit)),
    `What they changed:\n${describeChanges(plan)}`,
  ].join('\n\n');
}

/**
 * @param said the user's words
 * @param mode may have changed while the plan waited
 */
export function describeSentBack(plan: DecidedPlan, said: string | undefined, mode: ApprovalMode): string {
  const remarks = said
    ? `They said: ${said}`
    : 'They said nothing: ask what is missing, or look for what you have missed.';
  const changes = isPlanEdited(plan)
    ? `\n\nThey also changed its text, which counts as remarks:\n${describeChanges(plan)}`
    : '';
  if (mode !== 'plan')
    return `The user sent the plan back and switched plan mode off: ${modes[mode]} ${remarks}${changes}\n\nContinue with the work by that, without presenting a plan.`;
  return `The user sent the plan back. Plan mode stays on. ${remarks}${changes}\n\nWork this in and present the whole plan again.`;
}

/** Returns the newest approved plan, cut to a limit, if it lies before this message; later ones are sent anyway. */
export function findApprovedPlan(messages: readonly Message[], before: number): string | undefined {
  const at = messages.findLastIndex(({ parts }) => parts.some(isApproval));
  if (at < 0 || at >= before) return undefined;
  const approval = messages[at]!.parts.findLast(isApproval)!;
  const changed = /<approved_plan>\n([\s\S]*)\n<\/approved_plan>/.exec(approval.text)?.[1];
  const plan = changed ?? presentedIn(messages.slice(0, at), approval.id);
  return plan === undefined ? undefined : inPlanTags(cutMiddle(evened(plan), keptLimit));
}

const modes: Readonly<Record<ApprovalMode, string>> = {
  default: 'edits and commands ask first.',
  autoEdit: 'edits are applied at once, commands ask first.',
  plan: 'only reading is allowed.',
  yolo: 'nothing asks.',
};

function isApproval(part: Part): part is Extract<Part, { kind: 'result' }> {
  return part.kind === 'result' && part.ok && part.name === exitPlanMode;
}

function presentedIn(messages: readonly Message[], callId: string): string | undefined {
  const parts = messages.at(-1)?.parts ?? [];
  const call = parts.find(part => part.kind === 'call' && part.id === callId);
  const plan = call?.kind === 'call' ? call.args.plan : undefined;
  return typeof plan === 'string' ? plan : undefined;
}

/** Escapes the text so that it cannot close its block. */
function inPlanTags(text: string): string {
  return `<approved_plan>\n${text.replaceAll('</approved_plan', '<\\/approved_plan')}\n</approved_plan>`;
}

function describeChanges({ path, written, present }: DecidedPlan): string {
  const { hunks, hiddenLines } = fileDiff(path, evened(written), evened(present), {
    context: 0,
    maxLines: 60,
  });
  const lines = hunks.flatMap(hunk => hunk.lines.map(({ kind, text }) => `${marks[kind]} ${text}`));
  return [...lines, ...(hiddenLines > 0 ? [`(${hiddenLines} more lines)`] : [])].join('\n');
}

const marks = { added: '+', removed: '-', context: ' ' } as const;

/** Ignores line endings and blank lines at the end, which editors may change. */
function evened(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
