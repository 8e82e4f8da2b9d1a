/* Sessions with changes that wait for review, and sessions that went back. */

import type { DiffLine, FileDiff } from '../../src/protocol/asks.ts';
import type { ReviewedFile, ReviewedHunk } from '../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { RewindScope } from '../../src/protocol/intentions.ts';
import type { RestoredFile, Writer } from '../../src/protocol/values.ts';
import { done, end, invoiceDiff, prompt, request, started, step, text } from './journal.ts';
import { opening } from './scenario.ts';

const removed = (line: string): DiffLine => ({ kind: 'removed', text: line });
const added = (line: string): DiffLine => ({ kind: 'added', text: line });

export function hunk(id: number, more: Partial<ReviewedHunk> = {}): ReviewedHunk {
  const lines = more.lines ?? [
    removed('  return lines.reduce((sum, line) => sum + Math.round(line.net * rate), 0);'),
    added('  const net = lines.reduce((sum, line) => sum + line.net, 0);'),
    added('  return Math.round(net * rate);'),
  ];
  const count = lines.filter(({ kind }) => kind === 'added').length;
  return {
    id,
    status: 'pending',
    touched: false,
    chapterIds: ['c3'],
    lines,
    hiddenLines: 0,
    baseStart: 10 + id,
    baseCount: lines.length - count,
    start: 10 + id,
    count,
    ...more,
  };
}

export function review(shown: string, hunks: readonly ReviewedHunk[], created = false): ReviewedFile {
  const path = `/home/ann/invoices/${shown}`;
  const change = created ? 'created' : 'modified';
  return { path, shown, change, base: 'blob-a', present: 'blob-b', hunks };
}

export function reviewed(file: ReviewedFile): SessionEventBody {
  return { type: 'review.changed', path: file.path, review: file };
}

/** A comment that goes to the agent with what is sent next. */
export function commented(id: string, number: number, line: number, said: string): SessionEventBody {
  const path = '/home/ann/invoices/src/money.ts';
  const place = { start: line - 1, count: 1, lines: ['  return Math.round(sum);'], above: [], below: [] };
  const remarks = [{ id: `${id}-1`, by: 'person', text: said, at: 0 }] as const;
  const thread = { id, number, path, shown: 'src/money.ts', place, remarks, status: 'open' } as const;
  return { type: 'comment.changed', id, thread };
}

export const noLongerReviewed = (file: ReviewedFile): SessionEventBody => ({
  type: 'review.changed',
  path: file.path,
});

export const invoice = review('src/billing/invoice.ts', [
  hunk(1),
  hunk(2, { touched: true, lines: [added('// One rounding for the whole invoice.')] }),
  hunk(3, { status: 'rejected', lines: [removed('export type Net = number;'), added('type Net = number;')] }),
]);

export const money = review(
  'src/money.ts',
  [
    hunk(1, {
      lines: ['export function cents(sum: number): number {', '  return Math.round(sum);', '}'].map(added),
    }),
  ],
  true,
);

const turnEnd: SessionEventBody = { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } };

export const reviewing: readonly SessionEventBody[] = [
  ...opening,
  reviewed(invoice),
  reviewed(money),
  turnEnd,
];

/** Two chapters have changes that wait. */
export const reviewingChapters: readonly SessionEventBody[] = [
  ...opening,
  reviewed(review('src/billing/invoice.ts', [hunk(1), hunk(2, { chapterIds: ['c2'] })])),
  reviewed({ ...money, hunks: money.hunks.map(each => ({ ...each, chapterIds: ['c2'] })) }),
  turnEnd,
];

const longCommand =
  'find src -name "*.ts" -not -path "*/generated/*" -exec sed -i "s/Math.round/roundToCents/g" {} +';
const byCommand: Writer = { kind: 'command', callId: 'run3', line: longCommand };
const byServer: Writer = { kind: 'call', callId: 'mcp1', words: 'jira: create_file path=notes/ROUND-17.md' };

/** What a command, a tool of a server and an edit wrote, a notebook among it. */
export const reviewingWriters: readonly SessionEventBody[] = [
  ...opening,
  reviewed(
    review('src/billing/invoice.ts', [hunk(1, { writers: [byCommand] }), hunk(2, { writers: [byCommand] })]),
  ),
  reviewed(
    review('notes/ROUND-17.md', [hunk(1, { lines: [added('# Rounding')], writers: [byServer] })], true),
  ),
  reviewed({
    ...review('analysis/a-notebook-with-quite-a-long-name-that-does-not-fit.ipynb', [
      hunk(1, {
        start: 2,
        count: 1,
        baseCount: 1,
        cell: { place: 'Cell 2, python', oldStart: 1, newStart: 1 },
        lines: [removed('round(sum)'), added('round_to_cents(sum)')],
        writers: [byCommand, { kind: 'call', callId: 'edit9', words: 'Edit the notebook, 2 operations' }],
      }),
      hunk(2, {
        start: 5,
        count: 0,
        baseCount: 1,
        cell: { place: 'Cell 5, python, removed', oldStart: 1, newStart: 1 },
        lines: [removed('round(tax)')],
        writers: [{ kind: 'call', callId: 'edit9', words: 'Edit the notebook, 2 operations' }],
      }),
    ]),
    by: 'cells',
  }),
  turnEnd,
];

export const onlyRejected: readonly SessionEventBody[] = [
  ...opening,
  reviewed(review('src/billing/invoice.ts', [hunk(3, { status: 'rejected' })])),
  turnEnd,
];

const [first] = invoiceDiff.hunks;

export const threeHunks: FileDiff = {
  ...invoiceDiff,
  added: 4,
  hunks: [
    {
      oldStart: 1,
      newStart: 1,
      lines: [added("import { cents } from './money.ts';"), { kind: 'context', text: '' }],
    },
    { ...first!, newStart: 12 },
    { oldStart: 40, newStart: 42, lines: [{ kind: 'context', text: '' }, added('export const rate = 1.2;')] },
  ],
};

function askingAbout(diff: FileDiff): readonly SessionEventBody[] {
  const title = `Edit ${diff.path}`;
  const args = { file_path: diff.path };
  return [
    ...opening,
    step('s4', 4),
    request({ id: 'edit2', tool: 'replace', title, effect: 'edit', args }),
    {
      type: 'call.asked',
      callId: 'edit2',
      ask: {
        id: 'ask-edit2',
        reason: 'Edits are asked about in the mode Ask first.',
        subject: { kind: 'edit', diff },
        always: [{ id: 'session', scope: 'session', label: `Always edit ${diff.path}` }],
      },
    },
  ];
}

export const askingHunks = askingAbout(threeHunks);

export function askingLines(lines: readonly DiffLine[]): readonly SessionEventBody[] {
  return askingAbout({ ...invoiceDiff, hunks: [{ oldStart: 1, newStart: 1, lines }] });
}

/** A hunk of which the card shows only the beginning, with a change behind that. */
export const askingLongHunk = askingAbout({
  ...invoiceDiff,
  hunks: [
    {
      oldStart: 1,
      newStart: 1,
      lines: [
        added('first'),
        ...Array.from({ length: 14 }, (_, i): DiffLine => ({ kind: 'context', text: `kept ${i}` })),
        removed('gone'),
        added('second'),
      ],
    },
    ...invoiceDiff.hunks,
  ],
});

/** A change that begins where a narrow panel ends, and one in the middle of a minified line. */
export const askingLongLines = askingAbout({
  ...invoiceDiff,
  path: 'packages/billing/src/invoices/formatting/money.ts',
  added: 2,
  removed: 2,
  hunks: [
    {
      oldStart: 998,
      newStart: 998,
      lines: [
        { kind: 'context', text: '/** 123456 becomes `1,234.56`. */' },
        removed('export function formatMoney(cents: number): string {'),
        added('export function formatMoney(cents: number, currency: string): string {'),
        {
          kind: 'context',
          text: '\t\t  const digits = String(Math.abs(cents)).padStart(3, "0"); // 金額を表示する 🧾',
        },
        removed(`${'a=1;'.repeat(1250)}rate=19;${'b=2;'.repeat(1250)}`),
        added(`${'a=1;'.repeat(1250)}rate=21;${'b=2;'.repeat(1250)}`),
      ],
    },
  ],
});

export const restored: readonly RestoredFile[] = [
  { path: 'src/billing/invoice.ts', result: 'restored', added: 1, removed: 2 },
  { path: 'src/money.ts', result: 'deleted', added: 0, removed: 3 },
  { path: 'src/line.ts', result: 'merged', added: 4, removed: 4 },
  { path: 'README.md', result: 'conflict', added: 2, removed: 2 },
];

/** Two prompts, each answered, the second with an edit. */
export const twoTurns: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'What does total() do?'),
  step('s1', 1),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  text('s1', 'It adds up the lines of an invoice and rounds each of them.'),
  turnEnd,
  prompt('t2', 'Round the sum instead of each line'),
  step('s2', 1),
  request({ id: 'edit1', tool: 'replace', title: 'Edit src/invoice.ts', effect: 'edit' }),
  { type: 'call.started', callId: 'edit1' },
  end('edit1', '+2 −1', { display: { summary: '+2 −1', detail: { kind: 'diff', diff: invoiceDiff } } }),
  text('s2', 'The sum is rounded once now.'),
  { type: 'turn.ended', turnId: 't2', end: { kind: 'rested' } },
];

export function rewound(scope: RewindScope, files = restored): SessionEventBody {
  return {
    type: 'session.rewound',
    rewindId: 'rewind-1',
    to: { kind: 'turn', turnId: 't2' },
    scope,
    filesFrom: 20,
    keptMessages: 2,
    todos: [],
    reviews: [],
    files,
  };
}

const command = {
  id: 'run3',
  tool: 'run_shell_command',
  title: 'Run npm run generate',
  effect: 'run',
  args: { command: 'npm run generate' },
} as const;

/** A command that changed files, and an edit that failed. */
export const callFileChanges: readonly SessionEventBody[] = [
  ...twoTurns,
  prompt('t3', 'Generate the client again'),
  step('s3', 1),
  request(command),
  { type: 'call.started', callId: 'run3' },
  end('run3', 'Exit code 0', {
    display: {
      summary: 'Exit code 0',
      detail: { kind: 'command', exitCode: 0, output: 'generated 2 files\n' },
      touched: [
        { path: 'src/client/api.ts', added: 3, removed: 0 },
        { path: 'src/client/types.ts', added: 0, removed: 1 },
      ],
      uncovered: 'A rewind cannot restore 12 files that may have changed: too large.',
    },
  }),
  request({ id: 'edit3', tool: 'replace', title: 'Edit src/client/api.ts', effect: 'edit' }),
  { type: 'call.started', callId: 'edit3' },
  end('edit3', 'The text to replace was not found; the nearest is at line 12', { outcome: 'failed' }),
  { type: 'turn.ended', turnId: 't3', end: { kind: 'rested' } },
];
