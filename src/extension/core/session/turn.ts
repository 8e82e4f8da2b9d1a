/* One turn: answer, calls, answer, calls … until the model rests, a person stops it, or something fails. */

import type { Message, SessionEventBody, Trouble, TurnEnd } from '../../../protocol/events.ts';
import { plural } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CallSurroundings } from '../calls/callRun.ts';
import { runCalls } from '../calls/scheduler.ts';
import { callsOf, type History } from '../history/history.ts';
import type { ModelError, ModelProvider, ToolDeclaration } from '../model.ts';
import { runStep } from './step.ts';

export interface TurnSurroundings {
  readonly history: Pick<History, 'withOwnIds'>;
  /** The history as the next request carries it. */
  readonly messages: () => Promise<readonly Message[]>;
  readonly clock: Clock;
  /** Asked anew for each step: key, address and model may change in between. */
  readonly provider: () => ModelProvider;
  readonly model: () => string;
  readonly systemPrompt: () => string;
  readonly declarations: () => readonly ToolDeclaration[];
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
    const model = around.model();
    emit({ type: 'step.started', stepId, number, model });
    const messages = await around.messages();
    const system = around.systemPrompt();
    const tools = around.declarations();
    const request = { model, system, messages, tools, signal };
    const result = await runStep(around.provider(), request, stepId, around);
    if (result.kind === 'stopped') {
      if (result.partial) addMessage({ role: 'model', parts: [{ kind: 'text', text: result.partial }] });
      return { kind: 'stopped' };
    }
    if (result.kind === 'failed') return { kind: 'failed', trouble: troubleOf(result.error) };
    const { usage, finish, citations } = result.end;
    const message = history.withOwnIds(result.end.message, () => clock.newId());
    addMessage(message);
    emit({ type: 'step.ended', stepId, usage, finish, citations });
    const calls = callsOf(message);
    if (calls.length === 0) return { kind: 'rested' };
    addMessage({ role: 'user', parts: await runCalls(calls, stepId, around.calls, signal) });
    if (signal.aborted) return { kind: 'stopped' };
  }
  return { kind: 'stepLimit', steps: maxSteps };
}

export function describeTurnEnd(end: TurnEnd): string {
  switch (end.kind) {
    case 'rested':
      return 'Done.';
    case 'stopped':
      return 'Stopped.';
    case 'stepLimit':
      return `Stopped after ${plural(end.steps, 'step')}, the limit for one prompt. Send "continue" to go on.`;
    case 'failed':
      return end.trouble.message;
  }
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
