/*
 * Rebuilds the result of a call that was not recorded before Folio ended. It tells the model, and shows the user,
 * what the journal and the kept output know of the call, and claims nothing beyond that.
 */

import type { Display, Part, SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { CallItem } from '../../../protocol/state.ts';
import type { Report } from '../../../protocol/values.ts';
import { type DescribedOutput, noOutput } from '../../base/describeOutput.ts';
import { oneLine } from '../../base/text.ts';
import { fence } from '../../base/untrusted.ts';

type CallPart = Extract<Part, { kind: 'call' }>;
type ResultPart = Extract<Part, { kind: 'result' }>;

/** Output of calls, by their ids. */
export type Printed = ReadonlyMap<string, PrintedOutput>;

export interface PrintedOutput extends DescribedOutput {
  /** False: the beginning may be missing. */
  readonly isWhole: boolean;
}

/** How the work was cut off. */
export interface Cut {
  readonly cause: 'the end of Folio' | 'a fault of Folio';
  /** When anything was last at work, where that is long ago. */
  readonly lastActiveAt?: number;
  /** Output of open calls, as far as it was kept. */
  readonly printed?: Printed;
}

export function closeCall(
  { id: callId, status, askedAtWork }: CallItem,
  { cause, printed }: Cut,
): SessionEventBody<'call.ended'> {
  const isBegun = status.kind === 'running' || askedAtWork;
  const output = printed?.get(callId);
  const ended =
    cause === 'the end of Folio' ? t('Ended by the end of Folio') : t('Ended by an internal error in Folio');
  const summary = isBegun ? ended : t('Interrupted');
  const detail = output && ({ kind: 'text', text: output.forUser, outputPath: output.outputPath } as const);
  return { type: 'call.ended', callId, outcome: 'cancelled', display: { summary, detail }, durationMs: 0 };
}

/** Neither says that something was done that was not, nor the other way round. */
export function rebuiltResult(
  { id, name, args }: CallPart,
  call: CallItem | undefined,
  cut: Cut,
): ResultPart {
  const known = startedChapter(name, args, call) ?? (call ? describeCall(call, cut) : failed(notBegun(cut)));
  return { kind: 'result', id, name, ...known };
}

/** A chapter that was started shows its title as the summary of its call. */
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

function describeCall(call: CallItem, cut: Cut): Known {
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

function notBegun({ cause }: Cut): string {
  return `Ended by ${cause}; it was not begun.`;
}

function describeOpen({ id }: CallItem, { cause, printed }: Cut): string {
  const sentence = `Ended by ${cause} before it finished; whether it took effect is unknown.`;
  const output = printed?.get(id);
  if (!output) return sentence;
  const which = output.isWhole ? 'Its output until then' : 'The newest part of its output until then';
  return `${sentence} ${which}:\n${output.forModel}`;
}

type Ended = Extract<CallItem['status'], { kind: 'ended' }>;

function describeEnded(call: CallItem, { outcome, display }: Ended, cut: Cut): Known {
  const printed = cut.printed?.get(call.id);
  const found = printed ? foundInOutput(display, printed) : foundIn(call, display);
  // A summary beside a title in another language is in that language, and no model reads it.
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

function foundInOutput({ detail }: Display, { forModel }: PrintedOutput): string {
  return detail?.kind === 'command' ? `Exit code: ${detail.exitCode ?? 'none'}\n${forModel}` : forModel;
}

/** The detail that the card shows. Written content is known from the arguments. */
function foundIn({ effect }: CallItem, { detail }: Display): string {
  switch (detail?.kind) {
    case 'command':
      return `Exit code: ${detail.exitCode ?? 'none'}\n${detail.output === '' ? noOutput : fence('untrusted_output', detail.output)}${wholeIn(detail.outputPath)}`;
    case 'text':
      // A call in which the model speaks about its own work holds nobody else's words.
      return effect === 'note'
        ? detail.text
        : `${fence('untrusted_output', detail.text)}${wholeIn(detail.outputPath)}`;
    case 'report':
      return dataOf(detail.report);
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
 * The report as the parent agent reads it. An agent passes on words of files, pages and servers, so its report is
 * data, no more an order than they are.
 */
export function dataOf(report: Report): string {
  const [only, ...more] = Object.values(report);
  const isText = typeof only === 'string' && more.length === 0;
  return fence('untrusted_output', isText ? only : JSON.stringify(report));
}
