/* Journals for the panel's tests: events without numbers and times, which are given here. */

import { Excerpt } from '../../src/extension/vscode/panel/excerpt.ts';
import type { FileDiff } from '../../src/protocol/asks.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { EmittedEvent } from '../../src/protocol/fold/agents.ts';
import { reduceWithAgents } from '../../src/protocol/fold/reduceAgents.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import type { Effect } from '../../src/protocol/values.ts';
import { type EmittedBody, numbered } from '../support/emitted.ts';

/** Numbers the events after `from`, some seconds apart, the last one just now. */
export function journal(bodies: readonly EmittedBody[], from = 0, secondsApart = 3): EmittedEvent[] {
  const now = Date.now();
  return bodies.map((body, index) =>
    numbered(body, from + index + 1, now - (bodies.length - 1 - index) * secondsApart * 1000),
  );
}

export function fold(bodies: readonly EmittedBody[]): SessionState {
  return journal(bodies).reduce(reduceWithAgents, emptySession);
}

/** As a page has it that has asked for everything. */
export function shownState(state: SessionState): PanelState {
  const excerpt = new Excerpt(state);
  const items = state.chapters.flatMap(chapter => [chapter, ...iterate(chapter.items)]);
  for (const { id } of items) excerpt.open(id);
  return excerpt.of(state);
}

export const started: SessionEventBody = {
  type: 'session.started',
  sessionId: 'session-1',
  folders: ['/home/ann/invoices'],
  model: 'gemini-2.5-pro',
  mode: 'default',
};

export function prompt(turnId: string, text: string): SessionEventBody {
  return { type: 'turn.started', turnId, text, attachments: [] };
}

export function text(stepId: string, words: string): SessionEventBody {
  return { type: 'text.appended', stepId, text: words };
}

export function step(stepId: string, number: number): SessionEventBody {
  return { type: 'step.started', stepId, number, model: 'gemini-2.5-pro' };
}

export function stepEnd(stepId: string, promptTokens: number): SessionEventBody {
  const usage = { prompt: promptTokens, cached: Math.round(promptTokens / 3), output: 420, thoughts: 180 };
  return { type: 'step.ended', stepId, usage, finish: 'STOP', citations: [] };
}

export interface CallOptions {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly effect?: Effect;
  readonly args?: Readonly<Record<string, unknown>>;
}

export function request(call: CallOptions): SessionEventBody {
  const { id: callId, tool, title, effect = 'read', args = {} } = call;
  return { type: 'call.requested', callId, stepId: 's', tool, effect, title, args };
}

export function end(
  callId: string,
  summary: string,
  more: Partial<SessionEventBody<'call.ended'>> = {},
): SessionEventBody {
  return { type: 'call.ended', callId, outcome: 'ok', display: { summary }, durationMs: 1200, ...more };
}

/** A call that was never asked about and went well. */
export function done(call: CallOptions, summary: string): SessionEventBody[] {
  return [request(call), { type: 'call.started', callId: call.id }, end(call.id, summary)];
}

export const invoiceDiff: FileDiff = {
  path: 'src/invoice.ts',
  change: 'modified',
  added: 2,
  removed: 1,
  hiddenLines: 0,
  hunks: [
    {
      oldStart: 11,
      newStart: 11,
      lines: [
        { kind: 'context', text: 'export function total(lines: readonly Line[]): number {' },
        {
          kind: 'removed',
          text: '  return lines.reduce((sum, line) => sum + Math.round(line.net * rate), 0);',
        },
        { kind: 'added', text: '  const net = lines.reduce((sum, line) => sum + line.net, 0);' },
        { kind: 'added', text: '  return Math.round(net * rate);' },
        { kind: 'context', text: '}' },
      ],
    },
  ],
};
