import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import { type EmittedEvent, isAgentEvent } from '../../protocol/fold/agents.ts';
import type { SessionState } from '../../protocol/state.ts';
import type { DetachedTask } from '../../protocol/values.ts';
import { describeTurnEnd } from '../../protocol/words/turnEnd.ts';
import { textOf } from '../core/history/history.ts';
import { formatAgentLine } from '../core/recording/parseEvent.ts';
import type { OutputFormat } from './arguments.ts';
import { describeRewind } from './describeRewind.ts';
import type { RewindReport } from './earlierSession.ts';

/** Standard output and standard error of a run. */
export interface Printer {
  out(text: string): void;
  error(sentence: string): void;
}

export interface RunOutput {
  event(reported: EmittedEvent): void;
  rewound(report: RewindReport): void;
  /** Prints the output of a command. */
  reported(text: string): void;
  /** @param end omitted if no prompt was answered @param tasks servers' tasks that outlive the run */
  end(end: TurnEnd | undefined, state: SessionState, tasks: readonly DetachedTask[]): void;
}

export function makeOutput(format: OutputFormat, printer: Printer): RunOutput {
  const reportFailure = (end: TurnEnd | undefined) => {
    if (!end || end.kind === 'rested') return;
    const code = codeOf(end);
    printer.error(`${code === undefined ? '' : `${code}: `}${describeTurnEnd(end)}`);
  };
  switch (format) {
    case 'stream-json':
      return {
        // A subagent's event is wrapped, so that its line names the agent.
        event: reported =>
          printer.out(`${isAgentEvent(reported) ? formatAgentLine(reported) : JSON.stringify(reported)}\n`),
        // The events already report it.
        rewound: () => {},
        reported: text =>
          printer.out(`${JSON.stringify({ type: 'command.answered', text: text.trimEnd() })}\n`),
        end: end => {
          if (end?.kind === 'failed' && end.trouble.kind === 'command')
            printer.out(`${JSON.stringify({ type: 'command.refused', reason: end.trouble.message })}\n`);
          reportFailure(end);
        },
      };
    case 'json':
      return jsonOutput(printer, reportFailure);
    case 'text':
      return {
        event: reported => {
          if (!isAgentEvent(reported)) printAnswer(reported, printer);
        },
        rewound: report => printer.out(describeRewind(report)),
        reported: text => printer.out(`${text.trimEnd()}\n`),
        end: reportFailure,
      };
  }
}

/** Prints only complete answers, so that no discarded retry is printed. */
function printAnswer(event: SessionEvent, printer: Printer): void {
  const text = answerOf(event);
  if (text) printer.out(text.endsWith('\n') ? text : `${text}\n`);
  if (event.type === 'notice.shown') printer.error(event.text);
  if (event.type === 'step.retried') printer.error(describeRetry(event));
}

/** A retry may take minutes, and this is the only sign of it. */
function describeRetry(event: SessionEvent<'step.retried'>): string {
  const { reason, model, attempt, maxAttempts, delayMs } = event;
  if (model !== undefined) return `${reason} ${model} answers now.`;
  return `${reason} Next try in ${Math.ceil(delayMs / 1000)} s (${attempt} of ${maxAttempts}).`;
}

function jsonOutput(printer: Printer, reportFailure: (end: TurnEnd | undefined) => void): RunOutput {
  let answer = '';
  let rewind: RewindReport | undefined;
  return {
    event: event => {
      if (isAgentEvent(event)) return;
      answer = answerOf(event) || answer;
      if (event.type === 'notice.shown') printer.error(event.text);
    },
    rewound: report => {
      rewind = report;
    },
    reported: text => {
      answer = text;
    },
    end: (end, state, tasks) => {
      const chapters = state.chapters.filter(chapter => chapter.number > 0);
      const result = {
        sessionId: state.sessionId,
        rewind,
        end,
        code: end && codeOf(end),
        answer,
        tasks: tasks.length > 0 ? tasks : undefined,
        model: state.model,
        usage: state.usage,
        cost: costOf(state),
        unpriced: state.unpriced,
        chapters: chapters.map(({ title, summary, calls, files }) => ({ title, summary, calls, files })),
      };
      printer.out(`${JSON.stringify(result, undefined, 2)}\n`);
      reportFailure(end);
    },
  };
}

/** US dollars, or unknown; limits in dollars then do not apply. */
function costOf({ cost, usage }: SessionState): number | 'price unknown' {
  return cost ?? (usage.prompt > 0 ? 'price unknown' : 0);
}

/** Error code for scripts; otherwise the kind of end suffices. */
function codeOf(end: TurnEnd): string | undefined {
  return end.kind === 'loop' ? 'LOOP_DETECTED' : undefined;
}

function answerOf(event: SessionEvent): string {
  return event.type === 'message.added' && event.message.role === 'model' ? textOf(event.message) : '';
}
