/* Gets one model answer, with retries if they may help. */

import type { SessionEventBody } from '../../../protocol/events.ts';
import { eachUntilAborted } from '../../base/abort.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LoopWatch } from '../loops/loopWatch.ts';
import { type ModelEnd, ModelError, type ModelProvider, type ModelRequest } from '../model.ts';
import type { RefusedPartRemover } from './refusedPartRemover.ts';
import { planRetry } from './retry.ts';

export type StepResult =
  | { readonly kind: 'answered'; readonly end: Extract<ModelEnd, { ok: true }> }
  /** `partial`: the text received until then. */
  | { readonly kind: 'stopped'; readonly partial: string }
  /** The answer repeated itself endlessly and was cut off. */
  | { readonly kind: 'repeating'; readonly partial: string }
  /** `tried`: all attempts, including those of earlier models. */
  | { readonly kind: 'failed'; readonly error: ModelError; readonly tried: number };

interface StepPorts {
  readonly clock: Clock;
  readonly maxAttempts: () => number;
  readonly emit: (event: SessionEventBody) => void;
  /** Resolves when the user wants to retry immediately. Absent: they cannot. */
  readonly untilRetryNow?: () => Promise<void>;
  readonly loops: Pick<LoopWatch, 'addText' | 'dropText'>;
}

/** @param triedBefore failed attempts of this step with other models */
export async function runStep(
  provider: ModelProvider,
  request: ModelRequest,
  stepId: string,
  ports: StepPorts,
  triedBefore = 0,
): Promise<StepResult> {
  const { signal } = request;
  let remover: RefusedPartRemover | undefined;
  let asked = request;
  let note: string | undefined;
  const failures: ModelError[] = [];
  for (;;) {
    let partial = '';
    // Each attempt is watched on its own, regardless of earlier ones.
    ports.loops.dropText();
    const cut = new AbortController();
    const attempt = { ...withNote(asked, note), signal: AbortSignal.any([signal, cut.signal]) };
    const end = await receiveAnswer(provider, attempt, (type, text) => {
      if (type === 'text') partial += text;
      ports.emit({ type: type === 'text' ? 'text.appended' : 'thought.appended', stepId, text });
      if (ports.loops.addText(text, type)) cut.abort();
    });
    if (signal.aborted) return { kind: 'stopped', partial };
    if (cut.signal.aborted) return { kind: 'repeating', partial };
    if (end.ok) {
      remover?.answered();
      return { kind: 'answered', end };
    }
    if (end.error.refused) remover ??= await loadPartRemover(ports.emit);
    const smaller = remover?.next(asked, end.error);
    const before = triedBefore + (remover?.count ?? 0);
    if (smaller) {
      asked = smaller;
      const attempt = before + failures.length + 1;
      const maxAttempts = Math.max(attempt, triedBefore + ports.maxAttempts());
      ports.emit({
        type: 'step.retried',
        stepId,
        reason: end.error.message,
        attempt,
        maxAttempts,
        delayMs: 0,
      });
      continue;
    }
    failures.push(end.error);
    note = end.error.forModel;
    const plan = planRetry(failures, ports.maxAttempts(), ports.clock.random());
    const tried = before + failures.length;
    if (!plan) return { kind: 'failed', error: end.error, tried };
    const { delayMs } = plan;
    const reason = end.error.message;
    const maxAttempts = before + plan.maxAttempts;
    ports.emit({ type: 'step.retried', stepId, reason, attempt: tried + 1, maxAttempts, delayMs });
    await pause(delayMs, signal, ports);
    if (signal.aborted) return { kind: 'stopped', partial: '' };
  }
}

/** Loads code that a request only needs after a service refused a part of it. */
export async function loadPartRemover(emit: StepPorts['emit']): Promise<RefusedPartRemover> {
  const { RefusedPartRemover } = await import('./refusedPartRemover.ts');
  return new RefusedPartRemover(emit);
}

/** Tells the model what was wrong with its previous answer. The history does not contain the note. */
function withNote(request: ModelRequest, note: string | undefined): ModelRequest {
  if (note === undefined) return request;
  const last = request.messages.at(-1);
  const part = { kind: 'text', text: note } as const;
  if (last?.role !== 'user')
    return { ...request, messages: [...request.messages, { role: 'user', parts: [part] }] };
  const noted = { ...last, parts: [...last.parts, part] };
  return { ...request, messages: [...request.messages.slice(0, -1), noted] };
}

/** Ends immediately when the signal is aborted, even if the provider does not notice. */
export async function receiveAnswer(
  provider: ModelProvider,
  request: ModelRequest,
  onText: (type: 'text' | 'thought', text: string) => void,
): Promise<ModelEnd> {
  try {
    for await (const event of eachUntilAborted(provider.stream(request), request.signal)) {
      if (event.type === 'end') return event.end;
      onText(event.type, event.text);
    }
    return broken('The provider ended without an end event.');
  } catch (error) {
    // Only an abort can throw here, since a provider promises to end with `end`. Anything else is a bug.
    if (!request.signal.aborted) throw error;
    return broken('Stopped.');
  }
}

/** Waits until the pause ends, the user stops, or the user retries now. */
async function pause(ms: number, signal: AbortSignal, ports: StepPorts): Promise<void> {
  const over = new AbortController();
  const sleeping = ports.clock.sleep(ms, AbortSignal.any([signal, over.signal]));
  const waits = ports.untilRetryNow ? [sleeping, ports.untilRetryNow()] : [sleeping];
  await Promise.race(waits).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  over.abort();
  await sleeping.catch(() => {
    // Ended early on purpose.
  });
}

function broken(message: string): ModelEnd {
  return { ok: false, error: new ModelError('aborted', () => message, { retryable: false }) };
}
