/* One turn: answer, calls, answer, calls … until the model rests, a person stops it, or something fails. */

import type { Message, SessionEventBody, Trouble, TurnEnd, Usage } from '../../../protocol/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { runCalls } from '../calls/scheduler.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import { callsOf, type History } from '../history/history.ts';
import type { ModelError, ModelProvider, ModelRequest } from '../model.ts';
import { runStep } from './step.ts';

export interface TurnSurroundings {
  readonly history: Pick<History, 'withOwnIds'>;
  /** What goes out next, or why it must not. Compresses the context before, where that is due. */
  readonly nextRequest: (signal: AbortSignal) => Promise<ModelRequest | Trouble>;
  /** Hears each request before it goes out, and how the provider counted it. */
  readonly sending: (request: ModelRequest) => void;
  readonly counted: (request: ModelRequest, usage: Usage) => void;
  readonly clock: Clock;
  /** Asked anew for each step: key, address and model may change in between. */
  readonly provider: () => ModelProvider;
  readonly costOf: (model: string, usage: Usage) => number | undefined;
  readonly calls: CallSurroundings;
  readonly maxSteps: () => number;
  readonly maxAttempts: () => number;
  readonly emit: (event: SessionEventBody) => void;
  readonly addMessage: (message: Message) => void;
  readonly untilRetryNow: () => Promise<void>;
}

/** Never rejects for trouble with the model or a tool; only a bug escapes. History is valid afterwards. */
export async function runTurn(around: TurnSurroundings, signal: AbortSignal): Promise<TurnEnd> {
  const { history, clock, emit, addMessage } = around;
  const maxSteps = around.maxSteps();
  for (let number = 1; number <= maxSteps; number++) {
    const stepId = clock.newId();
    const request = await around.nextRequest(signal);
    if (signal.aborted) return { kind: 'stopped' };
    if ('kind' in request) return { kind: 'failed', trouble: request };
    const { model } = request;
    emit({ type: 'step.started', stepId, number, model });
    around.sending(request);
    const result = await runStep(around.provider(), request, stepId, around);
    if (result.kind === 'stopped') {
      if (result.partial) addMessage({ role: 'model', parts: [{ kind: 'text', text: result.partial }] });
      return { kind: 'stopped' };
    }
    if (result.kind === 'failed') return { kind: 'failed', trouble: troubleOf(result.error) };
    const { usage, finish, citations } = result.end;
    const message = history.withOwnIds(result.end.message, () => clock.newId());
    addMessage(message);
    if (usage) around.counted(request, usage);
    const cost = usage && around.costOf(model, usage);
    emit({ type: 'step.ended', stepId, usage, cost, finish, citations });
    const calls = callsOf(message);
    if (calls.length === 0) return { kind: 'rested' };
    addMessage({ role: 'user', parts: await runCalls(calls, stepId, around.calls, signal) });
    if (signal.aborted) return { kind: 'stopped' };
  }
  const budget = { kind: 'steps', scope: 'turn', limit: maxSteps, used: maxSteps } as const;
  return { kind: 'budget', budget };
}

function troubleOf(error: ModelError): Trouble {
  const remedies: Partial<Record<ModelError['kind'], Trouble['remedy']>> = {
    auth: 'setKey',
    forbidden: 'setKey',
    notFound: 'selectModel',
    quota: 'selectModel',
    tooLarge: 'compress',
  };
  return { kind: error.kind, message: error.message, remedy: remedies[error.kind] };
}
