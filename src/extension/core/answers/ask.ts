/* A question to the model beside the conversation: tried again as steps are, but nothing of it is shown. */

import type { Usage } from '../../../protocol/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { textOf } from '../history/history.ts';
import type { ModelError, ModelProvider, ModelRequest } from '../model.ts';
import { planRetry } from './retry.ts';
import { streamAnswer } from './step.ts';

export type AskResult =
  | { readonly kind: 'answered'; readonly text: string; readonly usage?: Usage }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: ModelError };

export interface AskSurroundings {
  /** Asked anew for each attempt: key and address may change in between. */
  readonly provider: () => ModelProvider;
  readonly clock: Clock;
  readonly maxAttempts: () => number;
  /** Who is asked after all attempts with a model failed; absent or undefined: nobody. */
  readonly insteadOf?: (model: string, error: ModelError) => string | undefined;
  /** Told what an answer took. */
  readonly spent: (model: string, usage: Usage) => void;
}

/** Never rejects for trouble with the model. `stopped`: the request's signal was aborted. */
export async function ask(request: ModelRequest, around: AskSurroundings): Promise<AskResult> {
  const result = await askModel(request, around);
  const other = result.kind === 'failed' && around.insteadOf?.(request.model, result.error);
  return other ? askModel({ ...request, model: other }, around) : result;
}

async function askModel(request: ModelRequest, around: AskSurroundings): Promise<AskResult> {
  const { signal } = request;
  const { provider, clock, maxAttempts, spent } = around;
  for (let failures = 0; ; ) {
    const end = await streamAnswer(provider(), request, () => {});
    if (end.ok && end.usage) spent(request.model, end.usage);
    if (signal.aborted) return { kind: 'stopped' };
    if (end.ok) return { kind: 'answered', text: textOf(end.message), usage: end.usage };
    failures++;
    const plan = planRetry(end.error, failures, maxAttempts(), clock.random());
    if (!plan) return { kind: 'failed', error: end.error };
    await clock.sleep(plan.delayMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return { kind: 'stopped' };
  }
}
