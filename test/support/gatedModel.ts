import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from '../../src/extension/core/model.ts';
import { ModelError } from '../../src/extension/core/model.ts';
import type { Part } from '../../src/protocol/events.ts';

/** A provider that answers only on command, so that a test can act while it waits. */
export class GatedModel implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  private readonly open: ((parts: readonly Part[]) => void)[] = [];
  private readonly watchers: (() => void)[] = [];
  private calls = 0;

  /** True while a request waits for its answer. */
  get asked(): boolean {
    return this.open.length > 0;
  }

  async untilAsked(): Promise<void> {
    while (!this.asked) await new Promise<void>(resolve => this.watchers.push(resolve));
  }

  /** Answers the waiting request. Returns false if there is none. */
  answer(text: string): boolean {
    return this.say([{ kind: 'text', text }]);
  }

  call(name: string, args: Readonly<Record<string, unknown>>): boolean {
    return this.say([{ kind: 'call', id: `call${++this.calls}`, name, args }]);
  }

  say(parts: readonly Part[]): boolean {
    const resolve = this.open.shift();
    resolve?.(parts);
    return resolve !== undefined;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.requests.push(request);
    const parts = await new Promise<readonly Part[] | undefined>(resolve => {
      this.open.push(resolve);
      request.signal.addEventListener('abort', () => {
        this.open.splice(this.open.indexOf(resolve), 1);
        resolve(undefined);
      });
      for (const notify of this.watchers.splice(0)) notify();
    });
    if (!parts) {
      const error = new ModelError('aborted', () => 'Stopped.', { retryable: false });
      yield { type: 'end', end: { ok: false, error } };
      return;
    }
    for (const part of parts) if (part.kind === 'text') yield { type: 'text', text: part.text };
    const message = { role: 'model', parts } as const;
    const usage = { prompt: 100, cached: 0, output: 10, thoughts: 0 };
    yield { type: 'end', end: { ok: true, message, usage, finish: 'STOP', citations: [] } };
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [{ id: 'gated', label: 'Gated', contextLimit: 1_000_000 }];
  }
}
