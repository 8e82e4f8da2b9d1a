/* Rebuilds the missing result of a call after Folio ended. It reports only what the journal and saved output prove. */

import type { Display, Part, SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { CallItem } from '../../../protocol/state.ts';
import type { SubagentReport } from '../../../protocol/values.ts';
import { type LimitedOutput, noOutput } from '../../base/limitOutput.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';

type CallPart = Extract<Part, { kind: 'call' }>;
type ResultPart = Extract<Part, { kind: 'result' }>;

/** Output of calls, by their ids. */
export type InterruptedOutputs = ReadonlyMap<string, InterruptedOutput>;

export interface InterruptedOutput extends LimitedOutput {
  /** False: the beginning may be missing. */
  readonly isWhole: boolean;
}

export interface Interruption {
  readonly cause: 'the end of Folio' | 'a fault of Folio';
  /** Time of the last activity, if that is long ago. */
  readonly lastActiveAt?: number;
  /** Saved output of open calls. */
  readonly printed?: InterruptedOutputs;
}

export function callEndEvent(
  { id: callId, status, askedAtWork }: CallItem,
  { cause, printed }: Interruption,
): SessionEventBody<'call.ended'> {
  const isBegun = status.kind === 'running' || askedAtWork;
  const output = printed?.get(callId);
  const ended =
    cause === 'the end of Folio' ? t('Ended by the end of Folio') : t('Ended by an internal error in Folio');
  const summary = isBegun ? ended : t('Interrupted');
  const detail = output && ({ kind: 'text', text: output.forUser, outputPath: output.outputPath } as const);
  return { type: 'call.ended', callId, outcome: 'cancelled', display: { summary, detail }, durationMs: 0 };
}

/** Claims neither success nor failure without evidence. */
export function rebuiltResult(
  { id, name, args }: CallPart,
  call: CallItem | undefined,
  cut: Interruption,
): ResultPart {
  const known = startedChapter(name, args, call) ?? (call ? describeCall(call, cut) : failed(notBegun(cut)));
  return { kind: 'result', id, name, ...known };
}

/** A started chapter has its title as summary. */
function startedChapter(
  name: string,
  { title }: CallPart['args'],
  call: CallItem | undefined,
): Known | undefined {
  if (name !== 'create_new_topic' || call?.status.kind !== 'ended') return undefined;
  const { outcome, display } = call.status;
  if (outcome !== 'ok' || display.summary !== title) return undefined;
  return { ok: true, text: `Topic changed to: "${title}"` };
}

type Known = Pick<ResultPart, 'ok' | 'text'>;

function describeCall(call: CallItem, cut: Interruption): Known {
  const { status } = call;
  switch (status.kind) {
    case 'ended':
      return describeEnded(call, status, cut);
    case 'running':
      return failed(describeOpen(call, cut));
    case 'validating':
    case 'asking':
    case 'scheduled':
      return failed(call.askedAtWork ? describeOpen(call, cut) : notBegun(cut));
  }
}

function notBegun({ cause }: Interruption): string {
  return `Ended by ${cause}; it was not begun.`;
}

function describeOpen({ id }: CallItem, { cause, printed }: Interruption): string {
  const sentence = `Ended by ${cause} before it finished; whether it took effect is unknown.`;
  const output = printed?.get(id);
  if (!output) return sentence;
  const which = output.isWhole ? 'Its output until then' : 'The newest part of its output until then';
  return `${sentence} ${which}:\n${output.forModel}`;
}

type Ended = Extract<CallItem['status'], { kind: 'ended' }>;

function describeEnded(call: CallItem, { outcome, display }: Ended, cut: Interruption): Known {
  const printed = cut.printed?.get(call.id);
  const found = printed ? foundInOutput(display, printed) : foundIn(call, display);
  // A localised summary is not meant for the model.
  const summary = call.said === undefined ? `: ${display.summary}` : '';
  const line = oneLine(`${call.title}${summary}`, 300);
  if (outcome !== 'ok') {
    const reason = call.decided?.reason ? ` The user said: ${call.decided.reason}` : '';
    return failed(`${outcomes[outcome]}: ${line}.${reason}${below(found)}`);
  }
  const finds = call.effect === 'read' || call.effect === 'fetch';
  if (finds && found === '') {
    return failed(`Done (${line}), but what it found was not kept before ${cut.cause}. Call it again.`);
  }
  const changed = call.decided?.decision === 'edited' || call.decided?.decision === 'hunks';
  const note = changed ? ' The user changed it first: read the file to see what was written.' : '';
  return { ok: true, text: `Done: ${line}.${note}${below(found)}` };
}

const outcomes = { failed: 'Failed', denied: 'Denied', cancelled: 'Stopped' } as const;

function failed(text: string): Known {
  return { ok: false, text };
}

function below(text: string): string {
  return text === '' ? '' : `\n${text}`;
}

function foundInOutput({ detail }: Display, { forModel }: InterruptedOutput): string {
  return detail?.kind === 'command' ? `Exit code: ${detail.exitCode ?? 'none'}\n${forModel}` : forModel;
}

/** Returns the card's detail. The content of writes is known from the arguments. */
function foundIn({ effect }: CallItem, { detail }: Display): string {
  switch (detail?.kind) {
    case 'command':
      return `Exit code: ${detail.exitCode ?? 'none'}\n${detail.output === '' ? noOutput : wrapUntrusted('untrusted_output', detail.output)}${wholeIn(detail.outputPath)}`;
    case 'text':
      // Calls about the model's own work contain no external text.
      return effect === 'note'
        ? detail.text
        : `${wrapUntrusted('untrusted_output', detail.text)}${wholeIn(detail.outputPath)}`;
    case 'report':
      return fenceReport(detail.report);
    case 'diff':
    case 'todos':
    case undefined:
      return '';
  }
}

function wholeIn(outputPath: string | undefined): string {
  return outputPath === undefined ? '' : `\nThe whole is in ${outputPath}: read parts of it with read_file.`;
}

/**
 * Formats a report for the parent agent. It is fenced as data, since it may quote untrusted files, pages and servers.
 */
export function fenceReport(report: SubagentReport): string {
  const [only, ...more] = Object.values(report);
  const isText = typeof only === 'string' && more.length === 0;
  return wrapUntrusted('untrusted_output', isText ? only : JSON.stringify(report));
}
