/* Sessions in which Folio chooses the model, one fails, and turns say what they took. */

import type { SessionEventBody, Usage } from '../../src/protocol/events.ts';
import type { ModelChoice } from '../../src/protocol/panel/messages.ts';
import type { ModelFailure, RoutedBy } from '../../src/protocol/routing.ts';
import { done, prompt, started, step, text } from './journal.ts';

export const models: readonly ModelChoice[] = [
  {
    id: 'gemini-2.5-pro',
    label: 'Gemini 2.5 Pro',
    contextLimit: 1_048_576,
    price: { input: 1.25, cached: 0.125, output: 10 },
  },
  { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextLimit: 200_000 },
];

export function routed(turnId: string, by: RoutedBy, model: string, reason?: string): SessionEventBody {
  return { type: 'model.routed', turnId, by, model, ...(reason !== undefined && { reason }) };
}

/** `cost` absent: the price is not known. */
export function stepEnded(stepId: string, usage: Usage, cost?: number): SessionEventBody<'step.ended'> {
  return {
    type: 'step.ended',
    stepId,
    usage,
    finish: 'STOP',
    citations: [],
    ...(cost !== undefined && { cost }),
  };
}

export const onAuto: SessionEventBody = { type: 'model.changed', model: 'auto' };

export const restedTurn = (turnId: string): SessionEventBody => ({
  type: 'turn.ended',
  turnId,
  end: { kind: 'rested' },
});

export const classified = 'One small question about one file: the fast model is enough.';

export const first = { prompt: 12_000, cached: 0, output: 300, thoughts: 100 };
export const second = { prompt: 12_600, cached: 11_500, output: 500, thoughts: 0 };

/** A turn of Auto in the middle of its work. */
export const autoWorking: readonly SessionEventBody[] = [
  started,
  onAuto,
  prompt('t1', 'What does total() in src/invoice.ts do?'),
  routed('t1', 'classifier', 'gemini-2.5-flash', classified),
  step('s1', 1),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  stepEnded('s1', first, 0.0046),
];

export const autoRested: readonly SessionEventBody[] = [
  ...autoWorking,
  step('s2', 2),
  text('s2', 'It adds up the lines of an invoice and rounds once.'),
  stepEnded('s2', second, 0.0021),
  restedTurn('t1'),
];

/** A server whose prices nobody knows, and which says nothing of a cache. */
export const unpriced: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'What does total() do?'),
  step('s1', 1),
  text('s1', 'It adds up the lines of an invoice.'),
  stepEnded('s1', first),
  restedTurn('t1'),
];

export const quota: ModelFailure = {
  model: 'gemini-2.5-pro',
  kind: 'terminal',
  message: 'The quota of Gemini 2.5 Pro is used up for today. It is renewed at 9:00.',
  candidate: 'gemini-2.5-flash',
};

export function choosing(failure: ModelFailure): readonly SessionEventBody[] {
  return [
    started,
    prompt('t1', 'Move everything to ESM'),
    step('s1', 1),
    ...done({ id: 'r1', tool: 'read_file', title: 'Read package.json' }, '31 lines'),
    text('s1', 'The package is CommonJS. I look at what imports it.'),
    stepEnded('s1', first, 0.02),
    step('s2', 2),
    { type: 'model.asked', turnId: 't1', failure: { askId: 'ask-1', ...failure } },
  ];
}

export const usedUp = 'The quota of Gemini 2.5 Pro is used up for today.';

export const fellBack: readonly SessionEventBody[] = [
  ...choosing(quota),
  { type: 'model.decided', turnId: 't1', decision: 'switch' },
  routed('t1', 'fallback', 'gemini-2.5-flash', usedUp),
  step('s3', 3),
  text('s3', 'Nothing imports it by `require`.'),
];

/** A long session whose cache was lost twice, and saved money all the same. */
export const lostCache: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Tidy up the tests.'),
  step('s1', 1),
  { ...stepEnded('s1', { ...second, prompt: 90_000, cached: 60_000 }, 0.21), saved: 0.14 },
  step('s2', 2),
  {
    ...stepEnded('s2', { ...second, prompt: 96_000, cached: 0 }, 0.42),
    cacheLoss: { by: 'tools', tokens: 96_000 },
  },
  step('s3', 3),
  {
    ...stepEnded('s3', { ...second, prompt: 97_000, cached: 8_000 }, 0.4),
    cacheLoss: { by: 'masked', tokens: 89_000 },
  },
  text('s3', 'They are tidy.'),
  restedTurn('t1'),
];

function saving(stepId: string, prompt: number, cached: number, saved: number): SessionEventBody {
  const usage = { prompt, cached, output: 1_400, thoughts: 600 };
  return { ...stepEnded(stepId, usage, 0.0284), saved };
}

/** Two chapters and two prompts, most of which the cache had. */
export const savedByCache: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Why is the total of an invoice wrong?'),
  step('s1', 1),
  { type: 'chapter.started', chapterId: 'c1', title: 'Reading the invoice code' },
  ...done({ id: 'r1', tool: 'read_file', title: 'Read src/invoice.ts' }, '48 lines'),
  saving('s1', 48_000, 36_000, 0.0405),
  step('s2', 2),
  text('s2', 'Each line is rounded before the sum.'),
  saving('s2', 51_000, 47_900, 0.0539),
  restedTurn('t1'),
  prompt('t2', 'Round once, at the end.'),
  step('s3', 1),
  {
    type: 'chapter.started',
    chapterId: 'c2',
    title: 'Rounding once',
    previousSummary: 'Each line is rounded before the sum.',
  },
  ...done({ id: 'r2', tool: 'replace', title: 'Edit src/invoice.ts' }, '+2 −2'),
  saving('s3', 54_000, 50_800, 0.0572),
  step('s4', 2),
  text('s4', 'The sum is rounded once now.'),
  saving('s4', 56_000, 53_700, 0.0604),
  restedTurn('t2'),
];
