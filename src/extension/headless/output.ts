import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/state.ts';
import { textOf } from '../core/history/history.ts';
import { describeTurnEnd } from '../core/session/turn.ts';
import type { OutputFormat } from './arguments.ts';

/** Where a run prints: standard output and standard error. */
export interface Printer {
  out(text: string): void;
  error(sentence: string): void;
}

export interface Output {
  event(event: SessionEvent): void;
  end(end: TurnEnd, state: SessionState): void;
}

export function makeOutput(format: OutputFormat, printer: Printer): Output {
  const tellTrouble = (end: TurnEnd) => {
    if (end.kind !== 'rested') printer.error(describeTurnEnd(end));
  };
  switch (format) {
    case 'stream-json':
      return { event: event => printer.out(`${JSON.stringify(event)}\n`), end: tellTrouble };
    case 'json':
      return jsonOutput(printer, tellTrouble);
    case 'text':
      return { event: event => printAnswer(event, printer), end: tellTrouble };
  }
}

/** Whole answers only, so that what a retry discards is never printed. */
function printAnswer(event: SessionEvent, printer: Printer): void {
  const text = answerOf(event);
  if (text) printer.out(text.endsWith('\n') ? text : `${text}\n`);
  if (event.type === 'notice.shown') printer.error(event.text);
}

function jsonOutput(printer: Printer, tellTrouble: (end: TurnEnd) => void): Output {
  let answer = '';
  return {
    event: event => {
      answer = answerOf(event) || answer;
      if (event.type === 'notice.shown') printer.error(event.text);
    },
    end: (end, state) => {
      const chapters = state.chapters.filter(chapter => chapter.number > 0);
      const result = {
        sessionId: state.sessionId,
        end,
        answer,
        model: state.model,
        usage: state.usage,
        chapters: chapters.map(({ title, summary, calls, files }) => ({ title, summary, calls, files })),
      };
      printer.out(`${JSON.stringify(result, undefined, 2)}\n`);
      tellTrouble(end);
    },
  };
}

function answerOf(event: SessionEvent): string {
  return event.type === 'message.added' && event.message.role === 'model' ? textOf(event.message) : '';
}
