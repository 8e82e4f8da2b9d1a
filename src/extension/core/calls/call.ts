/*
 * One call, from its arguments to its only outcome. Each phase is a value with everything known by then, and is created
 * from the one before:
 *
 *   requested ─► prepared ─► admitted ─► runs
 *       │            │           │        │
 *       └────────────┴───────────┴────────┴──► ended: ok, failed, denied or cancelled
 *
 * Every call ends exactly once. Nothing is thrown to the scheduler.
 */

import type { OutcomeKind } from '../../../protocol/events.ts';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { englishMessageOf, messageOf } from '../../base/errors.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { cutMiddle } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import type { CommandSandbox } from '../../platform/sandbox.ts';
import type { AttributedFileSystem } from '../changes/attributedFileSystem.ts';
import type { TailToolCall } from '../hooks/parseAnswer.ts';
import {
  type AnyTool,
  type CallContext,
  type EditProposal,
  noChange,
  type PrepareResult,
  ToolFailure,
  type ToolResult,
  type ToolRunContext,
} from '../tool.ts';
import { askDuring } from './askDuring.ts';
import type { CallPart, CallServices, OpenCall, ResultPart } from './calling.ts';
import { cardLine } from './describeCall.ts';
import { LiveOutput } from './liveOutput.ts';

export interface RequestedCall {
  readonly phase: 'requested';
  readonly open: OpenCall;
  /** Absent: no tool has that name. */
  readonly tool: AnyTool | undefined;
}

interface PlannedCall {
  readonly open: OpenCall;
  readonly tool: AnyTool;
  /** Final arguments, after changes by hooks. */
  readonly args: CallPart['args'];
  /** The arguments as the tool takes them. */
  readonly input: unknown;
  readonly prepared: PrepareResult<unknown>;
  /** Text from hooks before the call, which is added to the result. */
  readonly note: string;
}

export interface PreparedCall extends PlannedCall {
  readonly phase: 'prepared';
  readonly title: string;
  /** A hook's reason to ask the user, whatever the policy says. */
  readonly insist: string | undefined;
}

export interface AdmittedCall extends PlannedCall {
  readonly phase: 'admitted';
  /** The content to write, after the user's changes. */
  readonly proposal: EditProposal | undefined;
  /** The user's answers, or how to run the call. */
  readonly said: Pick<ToolRunContext, 'answers' | 'approvedPlan' | 'answering'> | undefined;
  readonly sandboxed: CommandSandbox | undefined;
  /** A command known to be read-only. */
  readonly reads: boolean;
  readonly files: AttributedFileSystem;
}

export interface EndedCall {
  readonly phase: 'ended';
  readonly result: ResultPart;
  /** A call that a hook wants to run next, whose result replaces this one's. */
  readonly tailCall: TailToolCall | undefined;
}

export interface CallOutcome {
  readonly kind: OutcomeKind;
  /** For the model. */
  readonly text: string;
  /** For the card. */
  readonly display: ToolResult['display'];
  readonly blobs?: ResultPart['blobs'];
  readonly tailCall?: TailToolCall;
}

/** Creates the first phase of a call in the model's answer. Emits nothing yet. */
export function createCall(part: CallPart, calling: CallServices, signal: AbortSignal): RequestedCall {
  const { caller, clock, outputs } = calling;
  const live = new LiveOutput(clock, {
    keep: text => outputs.keep(part.id, text),
    send: text => caller.emit({ type: 'call.output', callId: part.id, text }),
  });
  const open = { part, signal, live, since: clock.now(), over: new AbortController() };
  return { phase: 'requested', open, tool: caller.tools.get(part.name) };
}

/** Advances a call to its next phase, or ends it with the outcome of `step` or of its error. */
export async function advanceCall<Next extends PreparedCall | AdmittedCall>(
  call: OpenCall,
  calling: CallServices,
  step: () => Promise<Next | CallOutcome>,
): Promise<Next | EndedCall> {
  const reached = await step().catch((error: unknown) => outcomeOf(error, call, calling));
  return 'phase' in reached ? reached : endCall(call, reached, calling);
}

export function endCall(
  { part: { id, name }, live, over, since }: OpenCall,
  { kind, text, display, blobs, tailCall }: CallOutcome,
  { caller, clock }: CallServices,
): EndedCall {
  over.abort(new Error('The call ended before it was answered'));
  live.flush();
  const shown = { ...display, summary: display.summary() };
  const durationMs = clock.now() - since;
  caller.emit({ type: 'call.ended', callId: id, outcome: kind, display: shown, durationMs });
  return { phase: 'ended', result: { kind: 'result', id, name, ok: kind === 'ok', text, blobs }, tailCall };
}

/** `reason` is for the model, `summary` for the card. */
export function deniedOutcome(reason: string, summary: LocalizedMessage): CallOutcome {
  return { kind: 'denied', text: reason, display: { summary } };
}

/** Cuts the text, since a reason may quote arguments of any length. */
export function failedOutcome(
  text: string,
  summary: LocalizedMessage,
  { outputs }: Pick<CallServices, 'outputs'>,
): CallOutcome {
  return {
    kind: 'failed',
    text: cutMiddle(text, outputs.limit),
    display: { summary: () => cardLine(summary(), 200), unchanged: summary === noChange || undefined },
  };
}

export function cancelledOutcome({ signal, live }: OpenCall): CallOutcome {
  const partial = plainTerminalText(live.text);
  const why = `${messageOf(signal.reason)} before this call finished.`;
  const text = partial ? `${why} Its output until then:\n${wrapUntrusted('untrusted_output', partial)}` : why;
  const detail = partial ? ({ kind: 'text', text: partial } as const) : undefined;
  return { kind: 'cancelled', text, display: { summary: () => t('Stopped'), detail } };
}

export function toolContextOf(call: OpenCall, calling: CallServices): CallContext {
  const { part, signal, live } = call;
  return {
    callId: part.id,
    signal,
    write: live.write,
    waits: (waits, starter) => {
      const startedBy = starter === part.id ? undefined : starter;
      calling.caller.emit({ type: 'call.waited', callId: part.id, waits, startedBy });
    },
    saveOutput: (output, as) => saveOutput(part, output, calling, as),
    ask: (question, withdrawn) => askDuring(call, question, calling, withdrawn),
  };
}

/** Returns the path of the saved output; `undefined` on failure, since a full disk must not hide how the call ended. */
export async function saveOutput(
  { id, name }: CallPart,
  output: string | Uint8Array,
  { outputs, log }: Pick<CallServices, 'outputs' | 'log'>,
  as?: 'json',
): Promise<string | undefined> {
  const ending = as ?? (typeof output === 'string' ? 'txt' : 'jpg');
  return await outputs.save(`${name}-${id}.${ending}`, output).catch((error: unknown) => {
    log.warn(`The output of ${name} could not be kept: ${messageOf(error)}`);
    return undefined;
  });
}

function outcomeOf(error: unknown, call: OpenCall, calling: CallServices): CallOutcome {
  if (call.signal.aborted) return cancelledOutcome(call);
  if (error instanceof ToolFailure) return failedOutcome(error.message, error.summary, calling);
  const { name } = call.part;
  calling.log.error(`${name} failed unexpectedly`, error);
  return failedOutcome(`${name} failed: ${englishMessageOf(error)}`, () => messageOf(error), calling);
}
