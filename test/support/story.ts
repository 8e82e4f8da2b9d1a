/* A session for documents: told as events, so that what is exported is what the fold makes of them. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduceWithAgents } from '../../src/protocol/fold/reduceAgents.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { type EmittedBody, numbered } from './emitted.ts';

/** `[event, seconds since the beginning]`; times not given continue from the one before. */
export function notify(...events: readonly (EmittedBody | number)[]): SessionState {
  let state = emptySession;
  let at = Date.UTC(2026, 10, 21, 9, 30);
  const start = at;
  for (const event of events) {
    if (typeof event === 'number') at = start + event * 1_000;
    else state = reduceWithAgents(state, numbered(event, state.seq + 1, at));
  }
  return state;
}

export const started: SessionEventBody = {
  type: 'session.started',
  sessionId: 's1',
  folders: ['/home/ann/shop'],
  model: 'gemini-2.5-pro',
  mode: 'default',
};

export function prompt(text: string, turnId = 't1'): SessionEventBody {
  return { type: 'turn.started', turnId, text, attachments: [] };
}

export function rested(turnId = 't1'): SessionEventBody {
  return { type: 'turn.ended', turnId, end: { kind: 'rested' } };
}

export function chapter(title: string, previousSummary?: string): SessionEventBody {
  return {
    type: 'chapter.started',
    chapterId: title.toLowerCase().replaceAll(' ', '-'),
    title,
    previousSummary,
  };
}

export function said(text: string, stepId = 's'): SessionEventBody {
  return { type: 'text.appended', stepId, text };
}

export function spent(prompt: number, output: number, cost?: number): SessionEventBody {
  const usage = { prompt, output, cached: 0, thoughts: 0 };
  return { type: 'step.ended', stepId: 's', usage, cost, finish: 'STOP', citations: [] };
}

type Call = Partial<SessionEventBody<'call.requested'>>;
type Ended = Partial<SessionEventBody<'call.ended'>>;

let calls = 0;

/** Asked for and ended. */
export function called(call: Call, ended: Ended): readonly SessionEventBody[] {
  const callId = `c${++calls}`;
  return [
    {
      type: 'call.requested',
      callId,
      stepId: 's',
      tool: 'read_file',
      effect: 'read',
      title: 'Read a.ts',
      args: {},
      ...call,
    },
    { type: 'call.ended', callId, outcome: 'ok', display: { summary: 'Done' }, durationMs: 10, ...ended },
  ];
}

export const edit = called(
  { tool: 'replace', effect: 'edit', title: 'Edit src/total.ts' },
  {
    display: {
      summary: '+1 −1',
      detail: {
        kind: 'diff',
        diff: {
          path: 'src/total.ts',
          change: 'modified',
          added: 1,
          removed: 1,
          hiddenLines: 0,
          hunks: [
            {
              oldStart: 3,
              newStart: 3,
              lines: [
                { kind: 'context', text: 'function total() {' },
                { kind: 'removed', text: '  return round(a) + round(b);' },
                { kind: 'added', text: '  return round(a + b); // ```' },
              ],
            },
          ],
        },
      },
    },
  },
);

export const testRun = called(
  {
    tool: 'run_shell_command',
    effect: 'run',
    title: 'Run npm test -- `a`',
    args: { command: 'npm test -- `a`' },
  },
  {
    outcome: 'failed',
    durationMs: 65_000,
    display: {
      summary: 'Exit code 1',
      detail: {
        kind: 'command',
        exitCode: 1,
        output: '# not a heading\n```\nnot ok\n```\n',
        outputPath: '/home/ann/out',
      },
    },
  },
);

/** Two chapters: one finds, one mends. */
export function invoiceStory(): SessionState {
  return notify(
    started,
    prompt('Fix the *total*\n\n# Please'),
    2,
    chapter('Finding the bug'),
    said('# What I see\n\nIt rounds twice.'),
    ...called({ title: 'Read src/total.ts' }, { display: { summary: '42 lines' } }),
    ...testRun,
    spent(12_000, 400, 0.02),
    32,
    { type: 'step.started', stepId: 's', number: 2, model: 'gemini-2.5-pro' },
    chapter('Mending it', 'The total is rounded twice.'),
    { type: 'thought.appended', stepId: 's', text: 'secret musings' },
    ...edit,
    said('Done.'),
    spent(13_000, 100, 0.0225),
    62,
    rested(),
  );
}
