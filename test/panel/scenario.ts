/* The session that the screenshots show: three chapters, the last one in the middle of its work. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import { done, end, invoiceDiff, prompt, request, started, step, stepEnd, text } from './journal.ts';

const failedTests = [
  'npm test',
  '',
  '> invoices@1.0.0 test',
  '> vitest run',
  '',
  ' ✓ test/line.test.ts (4 tests)',
  ' ✗ test/invoice.test.ts (3 tests | 1 failed)',
  '   × adds the tax once',
  '     → expected 120.01 to be 120.00',
  '',
  ' Tests  1 failed | 6 passed (7)',
].join('\n');

export const opening: readonly SessionEventBody[] = [
  started,
  {
    type: 'turn.started',
    turnId: 't1',
    text: 'The total of an invoice is off by one cent when it has several lines. Find out why and fix it.',
    attachments: [
      { kind: 'file', path: 'src/invoice.ts' },
      { kind: 'selection', path: 'test/invoice.test.ts', startLine: 12, endLine: 30, text: '…' },
    ],
  },
  step('s1', 1),
  request({ id: 'topic1', tool: 'create_new_topic', title: 'Reading the invoice code', effect: 'note' }),
  { type: 'chapter.started', chapterId: 'c1', title: 'Reading the invoice code' },
  end('topic1', 'Chapter started'),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  ...done({ id: 'r2', tool: 'read_file', title: 'Read test/invoice.test.ts' }, '61 lines'),
  stepEnd('s1', 9_200),
  step('s2', 2),
  {
    type: 'chapter.started',
    chapterId: 'c2',
    title: 'Reproducing the rounding error',
    previousSummary: 'The total rounds each line before it adds them up.',
  },
  request({
    id: 'run1',
    tool: 'run_shell_command',
    title: 'Run npm test',
    effect: 'run',
    args: { command: 'npm test' },
  }),
  { type: 'call.started', callId: 'run1' },
  end('run1', 'Exit code 1', {
    display: {
      summary: 'Exit code 1',
      detail: { kind: 'command', exitCode: 1, output: failedTests },
    },
  }),
  stepEnd('s2', 14_100),
  step('s3', 3),
  {
    type: 'chapter.started',
    chapterId: 'c3',
    title: 'Fixing the rounding in src/invoice.ts',
    previousSummary: 'One of 7 tests fails: expected 120.00, got 120.01.',
  },
  {
    type: 'thought.appended',
    stepId: 's3',
    text: '**Deciding where to round**\n\nThe tax belongs to the sum, not to each line.',
  },
  text(
    's3',
    'Each line is rounded before the lines are added, so the error grows with their number. ' +
      'I add the net amounts first and round once, in `src/invoice.ts:12`:\n\n' +
      '```ts\n// One rounding for the whole invoice.\nconst net = lines.reduce((sum, line) => sum + line.net, 0);\nreturn Math.round(net * rate);\n```\n',
  ),
  {
    type: 'todos.changed',
    todos: [
      { description: 'Reproduce the failing test', status: 'completed' },
      { description: 'Round the sum instead of each line', status: 'in_progress' },
      { description: 'Run the tests again', status: 'pending' },
    ],
  },
  ...done({ id: 'r3', tool: 'read_file', title: 'Read src/line.ts' }, '22 lines'),
  ...done({ id: 'r4', tool: 'read_file', title: 'Read src/money.ts' }, '31 lines'),
  ...done({ id: 'r5', tool: 'grep_search', title: 'Search for Math.round' }, '3 matches in 2 files'),
  request({ id: 'edit1', tool: 'replace', title: 'Edit src/invoice.ts', effect: 'edit' }),
  { type: 'call.started', callId: 'edit1' },
  end('edit1', '+2 −1', { display: { summary: '+2 −1', detail: { kind: 'diff', diff: invoiceDiff } } }),
  stepEnd('s3', 131_000),
];

export const asking: readonly SessionEventBody[] = [
  ...opening,
  step('s4', 4),
  request({
    id: 'run2',
    tool: 'run_shell_command',
    title: 'Run npm test',
    effect: 'run',
    args: { command: 'npm test -- --reporter=dot' },
  }),
  {
    type: 'call.asked',
    callId: 'run2',
    ask: {
      id: 'ask-run2',
      reason: 'Commands can change anything on this machine.',
      subject: {
        kind: 'command',
        command: 'npm test -- --reporter=dot',
        cwd: '/home/ann/invoices',
        background: false,
        terminal: 'offered',
      },
      always: [{ id: 'session', scope: 'session', label: 'Always run npm test *' }],
    },
  },
];

export const askingEdit: readonly SessionEventBody[] = [
  ...opening,
  step('s4', 4),
  request({ id: 'edit2', tool: 'replace', title: 'Edit src/invoice.ts', effect: 'edit' }),
  {
    type: 'call.asked',
    callId: 'edit2',
    ask: {
      id: 'ask-edit2',
      reason: 'Edits are asked about in the mode Ask.',
      subject: { kind: 'edit', diff: invoiceDiff },
      always: [{ id: 'session', scope: 'session', label: 'Always edit src/invoice.ts' }],
    },
  },
];

export const running: readonly SessionEventBody[] = [
  ...asking,
  { type: 'call.decided', callId: 'run2', decision: 'once' },
  { type: 'call.started', callId: 'run2', canRestart: true },
  {
    type: 'call.output',
    callId: 'run2',
    text: '> invoices@1.0.0 test\n> vitest run --reporter=dot\n\n ····\n test/line.test.ts 4 of 4\n',
  },
];

export const failed: readonly SessionEventBody[] = [
  ...opening,
  {
    type: 'notice.shown',
    level: 'warning',
    text: 'gemini-2.5-pro is overloaded. Folio continues with gemini-2.5-flash.',
  },
  {
    type: 'turn.ended',
    turnId: 't1',
    end: {
      kind: 'failed',
      trouble: {
        kind: 'auth',
        message: 'The API key was refused. Set a valid key, then retry.',
        remedy: 'setKey',
      },
    },
  },
];

/** After all attempts, as `models/wire/networkErrors.ts` says it. */
export const noNetwork: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'What does total() do?'),
  {
    type: 'turn.ended',
    turnId: 't1',
    end: {
      kind: 'failed',
      trouble: {
        kind: 'network',
        message: 'The connection to Gemini failed (ENOTFOUND). Check your internet connection, then retry.',
      },
    },
  },
];

/** A file of the user that is no JSON and speaks of tools, as `core/policy/parseRules.ts` says it. */
export const brokenSettings: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'What does total() do?'),
  {
    type: 'notice.shown',
    level: 'warning',
    text: '~/.gemini/settings.json: it is not valid JSON. Until you correct it, Folio asks before every action.',
  },
  step('s1', 1),
  text('s1', 'It adds up the lines of an invoice.'),
  stepEnd('s1', 9_200),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];

export const rested: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'What does total() do?'),
  step('s1', 1),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  text(
    's1',
    'It adds up the lines of an invoice:\n\n1. takes the **net** amount of each line\n2. applies the rate\n3. rounds to cents\n\n| input | output |\n|---|---|\n| `[]` | 0 |\n| one line of 100 | 120 |\n',
  ),
  stepEnd('s1', 9_200),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];
