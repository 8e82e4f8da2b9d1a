/* Sessions that show what chapters, pins and mentions look like. */

import type { CompressionPlan } from '../../src/protocol/compression.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { Mention } from '../../src/protocol/mentions.ts';
import { done, started, step, text } from './journal.ts';
import { opening } from './scenario.ts';

const usage = { prompt: 44_100, cached: 12_000, output: 700, thoughts: 200 };

const spent = (stepId: string, cost?: number): SessionEventBody => ({
  type: 'step.ended',
  stepId,
  usage,
  finish: 'STOP',
  citations: [],
  ...(cost !== undefined && { cost }),
});

const restedEnd = (turnId: string): SessionEventBody => ({
  type: 'turn.ended',
  turnId,
  end: { kind: 'rested' },
});

/** Three chapters at rest; of the last two the price is known. */
export const restedChapters: readonly SessionEventBody[] = [
  ...opening,
  spent('s3', 0.0412),
  text('s3', '\n\nThe total is right now: 120.00.'),
  restedEnd('t1'),
];

const compressed: CompressionPlan = {
  snapshot: '<state_snapshot><overall_goal>Fix the total</overall_goal></state_snapshot>',
  replacement: [],
  keptFrom: 8,
  cut: [],
  parts: [
    { chapterId: 'c1', summarised: 4_000, kept: 0, dropped: 0 },
    { chapterId: 'c2', summarised: 0, kept: 900, dropped: 0 },
    { chapterId: 'c3', summarised: 0, kept: 3_000, dropped: 0 },
  ],
  tokens: { before: 14_000, after: 6_000 },
};

export const compressedChapters: readonly SessionEventBody[] = [
  ...restedChapters,
  { type: 'compression.started', compressionId: 'k1', trigger: 'manual' },
  { type: 'compression.applied', compressionId: 'k1', trigger: 'manual', plan: compressed },
];

/** No titled chapter: one question, some work, an answer. */
export const untitled: readonly SessionEventBody[] = [
  started,
  { type: 'turn.started', turnId: 't1', text: 'What does total() do?', attachments: [] },
  step('s1', 1),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  text('s1', 'It adds up the net amounts of all lines, applies the rate and rounds once.'),
  spent('s1', 0.002),
  restedEnd('t1'),
];

/** Many chapters with long titles. */
export const manyChapters: readonly SessionEventBody[] = [
  ...restedChapters,
  ...Array.from({ length: 24 }, (_, index): SessionEventBody[] => [
    step(`ms${index}`, index + 1),
    {
      type: 'chapter.started',
      chapterId: `m${index}`,
      title: `${index % 2 ? 'Porting' : 'Verifying'} module ${index + 1} of the billing package to the new money type`,
    },
    spent(`ms${index}`, 0.004 * index),
  ]).flat(),
];

export const mentions: readonly Mention[] = [
  { text: 'src/invoice.ts', kind: 'file', outcome: 'read', detail: '48 lines', path: 'src/invoice.ts' },
  { text: '@src/billing/', kind: 'folder', outcome: 'cut', detail: '12 of 40 files', path: 'src/billing' },
  { text: '@problems', kind: 'problems', outcome: 'read', detail: '2 errors' },
  {
    text: '@dist/bundle.js',
    kind: 'file',
    outcome: 'ignored',
    path: 'dist/bundle.js',
    detail: 'Excluded by .gitignore',
  },
  { text: '@https://example.com/rates', kind: 'url', outcome: 'failed', detail: 'The server answered 503' },
];

export const mentioning: readonly SessionEventBody[] = [
  started,
  {
    type: 'turn.started',
    turnId: 't1',
    text: 'Compare @src/billing/ with @https://example.com/rates, see @problems and @dist/bundle.js.',
    attachments: [{ kind: 'file', path: 'src/invoice.ts' }],
  },
  { type: 'mentions.read', turnId: 't1', mentions },
  step('s1', 1),
  text('s1', 'The rates in the folder are those of last year. Two of them are rounded twice.'),
  spent('s1'),
  restedEnd('t1'),
];

export const pinned: readonly SessionEventBody[] = [
  ...mentioning,
  { type: 'pin.changed', id: 't1', pinned: true },
  { type: 'pin.changed', id: 's1', pinned: true },
];
