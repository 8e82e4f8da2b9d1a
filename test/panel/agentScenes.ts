/* Sessions in which agents were sent out: at work, asking, done, stopped, failed, broken off. */

import type { DisplayDetail } from '../../src/protocol/asks.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { SubagentReport } from '../../src/protocol/values.ts';
import type { EmittedBody } from '../support/emitted.ts';
import { done, end, prompt, request, started, step, text } from './journal.ts';

export const investigate =
  'Find out where the total of an invoice is rounded.\nLook at the tests too, and say which of them rely on it.';

const report = 'Rounding happens in src/invoice.ts, total(), once for each line. Two tests rely on it.';

/** Its events as the session tells them. */
export function ofAgent(
  callId: string,
  agent: string,
  ...events: readonly SessionEventBody[]
): readonly EmittedBody[] {
  return events.map(event => ({ callId, agent, event }));
}

export function sent(callId: string, agent: string, task: string): readonly EmittedBody[] {
  return [
    request({
      id: callId,
      tool: 'invoke_agent',
      title: `Agent ${agent}`,
      effect: 'read',
      args: { agent_name: agent, prompt: task },
    }),
    { type: 'call.started', callId },
    ...ofAgent(callId, agent, started, prompt(`${callId}-turn`, task)),
  ];
}

export function stepOf(id: string): SessionEventBody {
  const usage = { prompt: 9_000, cached: 3_000, output: 300, thoughts: 100 };
  return { type: 'step.ended', stepId: id, usage, cost: 0.012, finish: 'STOP', citations: [] };
}

function readings(prefix: string): readonly SessionEventBody[] {
  return [
    step(`${prefix}1`, 1),
    {
      type: 'thought.appended',
      stepId: `${prefix}1`,
      text: '**Where it starts**\n\nThe tests say what is expected.',
    },
    ...done({ id: `${prefix}r1`, tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
    ...done({ id: `${prefix}r2`, tool: 'grep_search', title: 'Search for "round"' }, '6 matches'),
    stepOf(`${prefix}1`),
    step(`${prefix}2`, 2),
    text(`${prefix}2`, 'The lines are rounded one by one in `total()`.'),
    stepOf(`${prefix}2`),
    step(`${prefix}3`, 3),
  ];
}

const beginning: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Why is the total off by one cent?'),
  step('s1', 1),
  text('s1', 'I send two agents out to look at the code and at the tests.'),
];

const runTests = { id: 'i2run', tool: 'run_shell_command', title: 'Run npm test', effect: 'run' } as const;

/** Two work side by side. */
export const agentsWork: readonly EmittedBody[] = [
  ...beginning,
  ...sent('i1', 'codebase_investigator', investigate),
  ...sent('i2', 'generalist', 'Run the tests and say which fail.'),
  ...ofAgent('i1', 'codebase_investigator', ...readings('i1')),
  ...ofAgent(
    'i1',
    'codebase_investigator',
    request({ id: 'i1r3', tool: 'read_file', title: 'Read test/invoice.test.ts' }),
    { type: 'call.started', callId: 'i1r3' },
  ),
  ...ofAgent(
    'i2',
    'generalist',
    step('i21', 1),
    ...done({ id: 'i2r1', tool: 'read_file', title: 'Read package.json' }, '31 lines'),
  ),
];

/** One of them asks. */
export const agentAsks: readonly EmittedBody[] = [
  ...agentsWork,
  ...ofAgent('i2', 'generalist', request({ ...runTests, args: { command: 'npm test' } }), {
    type: 'call.asked',
    callId: 'i2run',
    ask: {
      id: 'ask-i2run',
      reason: 'Commands can change anything on this machine.',
      subject: { kind: 'command', command: 'npm test', cwd: '/home/ann/invoices', background: false },
      always: [],
    },
  }),
];

export const agentDecided: readonly EmittedBody[] = ofAgent(
  'i2',
  'generalist',
  { type: 'call.decided', callId: 'i2run', decision: 'once' },
  { type: 'call.started', callId: 'i2run' },
);

const rested = (callId: string): SessionEventBody => ({
  type: 'turn.ended',
  turnId: `${callId}-turn`,
  end: { kind: 'rested' },
});

/** One reported, one was stopped by hand, one failed. */
export const agentsEnded: readonly EmittedBody[] = [
  ...agentAsks,
  ...ofAgent('i1', 'codebase_investigator', end('i1r3', '80 lines'), stepOf('i13'), rested('i1')),
  end('i1', report, {
    durationMs: 64_000,
    display: {
      summary: report,
      detail: { kind: 'text', text: `SummaryOfFindings: ${report}\nRelevantLocations: src/invoice.ts` },
    },
  }),
  ...ofAgent('i2', 'generalist', end('i2run', 'Cancelled', { outcome: 'cancelled' }), {
    type: 'turn.ended',
    turnId: 'i2-turn',
    end: { kind: 'stopped' },
  }),
  end('i2', 'You stopped generalist. It had read package.json.', { outcome: 'cancelled', durationMs: 9_000 }),
  ...sent('i3', 'release-notes', 'Write the notes of 2.0.'),
  ...ofAgent('i3', 'release-notes', step('i31', 1), {
    type: 'turn.ended',
    turnId: 'i3-turn',
    end: {
      kind: 'failed',
      trouble: { kind: 'network', message: 'The model did not answer within two minutes.' },
    },
  }),
  end('i3', 'The model did not answer within two minutes.', { outcome: 'failed', durationMs: 120_000 }),
];

export const findings: SubagentReport = {
  SummaryOfFindings:
    '# Answer\n\nThe total is rounded **once for each line** in `src/invoice.ts:12`, so three lines may be off by a cent.\n\n- `total()` sums rounded values\n- `net()` does not round',
  ExplorationTrace: [
    'Searched for `round`: six matches, two of them in code',
    'Read src/invoice.ts: the sum is made of rounded lines',
    'Read test/invoice.test.ts: two tests rely on it',
  ],
  RelevantLocations: [
    {
      FilePath: 'src/invoice.ts:10-24',
      Reasoning: 'Rounds each line before `reduce` sums them up.',
      KeySymbols: ['total', 'Line', 'roundToCents'],
    },
    { FilePath: 'test/invoice.test.ts', Reasoning: 'Expects the wrong sum.', KeySymbols: [] },
    { FilePath: 'https://example.com/a', Reasoning: 'Not a file.', KeySymbols: ['none'] },
  ],
};

/** One that was sent out for this and handed it in. */
export function reported(report: unknown, agent = 'codebase_investigator'): readonly EmittedBody[] {
  const detail = { kind: 'report', report: report as SubagentReport } as const;
  return reportedAs(detail, agent);
}

export function reportedAs(detail: DisplayDetail, agent: string): readonly EmittedBody[] {
  const handIn = { id: 'i1c', tool: 'complete_task', title: 'Hand in the report', effect: 'note' } as const;
  return [
    ...beginning,
    ...sent('i1', agent, investigate),
    ...ofAgent('i1', agent, ...readings('i1'), ...done(handIn, 'Handed in'), stepOf('i13'), rested('i1')),
    end('i1', '3 steps, 2 calls', { durationMs: 64_000, display: { summary: '3 steps, 2 calls', detail } }),
  ];
}

/** The window was closed in the middle of it: its own calls were never told to have ended. */
export const agentBrokenOff: readonly EmittedBody[] = [
  ...agentAsks,
  end('i1', 'Broken off when the window closed.', { outcome: 'cancelled' }),
  end('i2', 'Broken off when the window closed.', { outcome: 'cancelled' }),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'stopped' } },
];
