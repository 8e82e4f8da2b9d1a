/* Sessions around a compression: being made, proposed, in force, undone, failed. */

import type { CompressionPlan } from '../../src/protocol/compression.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { ContextBreakdown } from '../../src/protocol/panel/context.ts';
import { opening } from './scenario.ts';

export const snapshotXml = `<state_snapshot>
  <overall_goal>
    The total of an invoice must not depend on the number of its lines.
  </overall_goal>
  <active_constraints>
    - Keep the public functions of src/invoice.ts as they are.
    - No new dependency.
  </active_constraints>
  <key_knowledge>
    - Tests run with &lt;npm test&gt;; they take 4 seconds.
    - <img src=x onerror="document.title='hacked'"> stands in a fixture.
    - The tax belongs to the sum, not to each line.
  </key_knowledge>
  <artifact_trail>
    src/invoice.ts: total() rounds once (+2 −1).
  </artifact_trail>
  <task_state>
    1. [done] Reproduce the failing test
    2. [done] Round the sum
    3. [next] Run the tests again
  </task_state>
</state_snapshot>`;

export const plan: CompressionPlan = {
  snapshot: snapshotXml,
  replacement: [],
  keptFrom: 12,
  cut: [],
  parts: [
    { chapterId: 'c1', summarised: 38_200, kept: 0, dropped: 0 },
    { chapterId: 'c2', summarised: 24_600, kept: 1_200, dropped: 6_100 },
    { chapterId: 'c3', summarised: 0, kept: 11_400, dropped: 0 },
  ],
  tokens: { before: 84_012, after: 21_043 },
};

export const compressionId = 'k1';

/** Three chapters, and Folio rests. */
export const rested: readonly SessionEventBody[] = [
  ...opening,
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];

export const compressing: readonly SessionEventBody[] = [
  ...rested,
  { type: 'compression.started', compressionId, trigger: 'manual' },
];

export const proposed: readonly SessionEventBody[] = [
  ...compressing,
  { type: 'pin.changed', id: 't1', pinned: true },
  { type: 'pin.changed', id: 's2', pinned: true },
  { type: 'compression.proposed', compressionId, plan },
];

export const compressed: readonly SessionEventBody[] = [
  ...rested,
  { type: 'compression.applied', compressionId, trigger: 'automatic', plan },
];

export const compressedTwice: readonly SessionEventBody[] = [
  ...compressed,
  {
    type: 'compression.applied',
    compressionId: 'k2',
    trigger: 'manual',
    plan: { ...plan, keptFrom: 20, tokens: { before: 61_000, after: 18_000 } },
  },
];

export const undone: readonly SessionEventBody[] = [
  ...compressed,
  { type: 'compression.undone', compressionId },
];

export const paused: readonly SessionEventBody[] = [
  ...rested,
  { type: 'compression.started', compressionId, trigger: 'automatic' },
  {
    type: 'compression.ended',
    compressionId,
    end: {
      kind: 'failed',
      message: 'The summary would have been longer than what it replaces. Nothing was changed.',
      inflated: true,
    },
  },
];

export const tooLarge: readonly SessionEventBody[] = [
  ...opening,
  {
    type: 'turn.ended',
    turnId: 't1',
    end: {
      kind: 'failed',
      trouble: {
        kind: 'tooLarge',
        message: 'The request is larger than the model takes. Compress the context, then try again.',
        remedy: 'compress',
      },
    },
  },
];

export const breakdown: ContextBreakdown = {
  limit: 200_000,
  used: 84_000,
  counted: true,
  threshold: 0.5,
  parts: [
    { kind: 'system', tokens: 4_100 },
    { kind: 'tools', tokens: 5_300 },
    { kind: 'memory', tokens: 2_400 },
    { kind: 'files', tokens: 6_200 },
    { kind: 'summary', tokens: 0 },
    { kind: 'chapter', chapterId: 'c1', tokens: 28_200 },
    { kind: 'chapter', chapterId: 'c2', tokens: 25_900 },
    { kind: 'chapter', chapterId: 'c3', tokens: 11_900 },
  ],
};

/** Fourteen chapters more, the third of which is the largest. */
const later = Array.from({ length: 14 }, (_, index) => ({
  chapterId: `c${index + 4}`,
  title: `Migrating module ${index + 1} of the billing service`,
  tokens: index === 2 ? 9_000 : 600 + index * 100,
}));

export const manyChapters: readonly SessionEventBody[] = [
  ...compressed,
  ...later.map(({ chapterId, title }): SessionEventBody => ({ type: 'chapter.started', chapterId, title })),
];

export const manyParts: ContextBreakdown = {
  ...breakdown,
  counted: false,
  used: 18_000 + 3_000 + 9_000 + 4_000 + later.reduce((sum, { tokens }) => sum + tokens, 0),
  parts: [
    ...breakdown.parts.slice(0, 4),
    { kind: 'summary', tokens: 3_000 },
    { kind: 'chapter', chapterId: 'c3', tokens: 13_000 },
    ...later.map(({ chapterId, tokens }) => ({ kind: 'chapter', chapterId, tokens }) as const),
  ],
};
