/*
 * Asks a model outside the conversation. Callers provide the question. This file alone decides which model answers, how
 * often it is retried, which one takes over, what the journal records and when it ends. Nothing is shown.
 */

import type { Message, SessionEventBody, Usage } from '../../../protocol/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { textOf } from '../history/history.ts';
import type { TurnLimits } from '../limitSettings.ts';
import type { ModelError, ModelProvider, ModelRequest } from '../model.ts';
import type { RefusedPartRemover } from './refusedPartRemover.ts';
import { planRetry } from './retry.ts';
import { loadPartRemover, receiveAnswer } from './step.ts';

type Purpose = SessionEventBody<'side.asked'>['purpose'];

export interface SideQuestion extends Pick<ModelRequest, 'system' | 'temperature'> {
  readonly purpose: Purpose;
  /** The user's words, or messages with alternating roles. */
  readonly text: string | readonly Message[];
  /** Absent: the light model. */
  readonly model?: string;
}

type AskResult =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: ModelError };

/** The conversation, or a part of it, that asks. */
export interface ModelQuestionContext {
  readonly ports: {
    readonly models: {
      provider(): ModelProvider;
      costOf(model: string, usage: Usage): number | undefined;
    };
    readonly limits: TurnLimits;
    readonly clock: Clock;
  };
  readonly transcript: { readonly emit: (event: SessionEventBody) => void };
  readonly routing: {
    readonly side: string;
    /** Returns the model to ask after all attempts with this one failed; undefined: none. */
    insteadOf(model: string, error: ModelError): string | undefined;
  };
}

/** Attempts with one model, if the settings allow as many. A classification is not worth the pauses of an answer. */
const maxAttemptsOf: Readonly<Record<Purpose, number>> = {
  summary: Number.POSITIVE_INFINITY,
  edit: 2,
  command: 1,
  loop: 2,
  nextSpeaker: 2,
  route: 1,
  memory: 2,
};

/** Milliseconds after which an optional answer is no longer awaited. */
const maxWaitMs: Partial<Readonly<Record<Purpose, number>>> = {
  edit: 40_000,
  command: 15_000,
  memory: 60_000,
};

/** Never rejects for a model error. `stopped`: the signal was aborted, or the time limit reached. */
export async function askSideQuestion(
  question: SideQuestion,
  asker: ModelQuestionContext,
  outer: AbortSignal,
): Promise<AskResult> {
  const { purpose, model = asker.routing.side } = question;
  const ms = maxWaitMs[purpose];
  const signal = ms === undefined ? outer : AbortSignal.any([outer, AbortSignal.timeout(ms)]);
  const result = await askModel(model, question, asker, signal);
  // While the route is being chosen, no model is working yet that could take over.
  if (result.kind !== 'failed' || purpose === 'route') return result;
  const other = asker.routing.insteadOf(model, result.error);
  return other ? askModel(other, question, asker, signal) : result;
}

async function askModel(
  model: string,
  { purpose, system, text, temperature }: SideQuestion,
  { ports, transcript }: ModelQuestionContext,
  signal: AbortSignal,
): Promise<AskResult> {
  const { models, limits, clock } = ports;
  const messages =
    typeof text === 'string' ? ([{ role: 'user', parts: [{ kind: 'text', text }] }] as const) : text;
  let remover: RefusedPartRemover | undefined;
  let request: ModelRequest = { model, system, messages, tools: [], temperature, signal };
  const most = Math.min(maxAttemptsOf[purpose], limits.current.maxAttempts);
  const failures: ModelError[] = [];
  for (;;) {
    // The provider is fetched again, since key and URL may have changed.
    const end = await receiveAnswer(models.provider(), request, () => {});
    if (end.ok && end.usage) {
      const cost = models.costOf(model, end.usage);
      transcript.emit({ type: 'side.asked', purpose, model, usage: end.usage, cost });
    }
    if (signal.aborted) return { kind: 'stopped' };
    if (end.ok) {
      remover?.answered();
      return { kind: 'answered', text: textOf(end.message) };
    }
    if (end.error.refused) remover ??= await loadPartRemover(transcript.emit);
    const smaller = remover?.next(request, end.error);
    if (smaller) {
      request = smaller;
      continue;
    }
    failures.push(end.error);
    const plan = planRetry(failures, most, clock.random());
    if (!plan) return { kind: 'failed', error: end.error };
    await clock.sleep(plan.delayMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return { kind: 'stopped' };
  }
}
