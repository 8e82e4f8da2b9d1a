import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from '../../src/extension/core/model.ts';
import { ModelError } from '../../src/extension/core/model.ts';
import type { Message, Part } from '../../src/protocol/events.ts';

/** One answer of the script: text and calls, or a failure. */
export type ScriptedAnswer =
  | { readonly parts: readonly Part[]; readonly finish?: string; readonly cut?: true }
  | { readonly error: ModelError; readonly partial?: string }
  /** Sends `partial`, then hangs until the request is aborted. */
  | { readonly hang: true; readonly partial?: string };

/** A provider that plays answers in order and records requests. */
export class ScriptedModel implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  /** Remaining answers, to which a test may add. */
  readonly answers: ScriptedAnswer[];

  constructor(answers: readonly ScriptedAnswer[]) {
    this.answers = [...answers];
  }

  get remaining(): number {
    return this.answers.length;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.requests.push({ ...request, messages: structuredClone(request.messages) as Message[] });
    const answer = this.answers.shift();
    if (!answer)
      return yield failure(
        new ModelError('unknown', () => 'The script has no more answers.', { retryable: false }),
      );
    if ('error' in answer) {
      if (answer.partial) yield { type: 'text', text: answer.partial };
      return yield failure(answer.error);
    }
    if ('hang' in answer) {
      if (answer.partial) yield { type: 'text', text: answer.partial };
      await new Promise(resolve => request.signal.addEventListener('abort', resolve, { once: true }));
      return yield failure(new ModelError('aborted', () => 'Stopped.', { retryable: false }));
    }
    for (const part of answer.parts) {
      if (part.kind === 'text' || part.kind === 'thought') yield { type: part.kind, text: part.text };
    }
    const message: Message = { role: 'model', parts: answer.parts.filter(part => part.kind !== 'thought') };
    const usage = { prompt: 100 * this.requests.length, cached: 0, output: 10, thoughts: 0 };
    const { finish = 'STOP', cut } = answer;
    yield { type: 'end', end: { ok: true, message, usage, finish, cut, citations: [] } };
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [{ id: 'scripted', label: 'Scripted', contextLimit: 1_000_000 }];
  }
}

function failure(error: ModelError): ModelEvent {
  return { type: 'end', end: { ok: false, error } };
}
