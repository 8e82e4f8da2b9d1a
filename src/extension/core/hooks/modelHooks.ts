import type { Message } from '../../../protocol/events.ts';
import type { LocalizedMessage } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import type { ModelEnd, ModelEvent, ModelProvider, ModelRequest } from '../model.ts';
import type { HookRuns } from './hookRuns.ts';
import type { HookStops } from './hookStops.ts';
import { formatHookTexts } from './hookText.ts';
import {
  applyRequestChanges,
  findResponseText,
  restrictTools,
  toHookRequest,
  toHookResponse,
} from './modelShape.ts';

type Answered = Extract<ModelEnd, { ok: true }>;

export class ModelHooks {
  private readonly runs: HookRuns;
  private readonly stops: HookStops;
  /** Answers of hooks that replace the model's. Keyed by messages, since each attempt copies only the request. */
  private readonly given = new WeakMap<ModelRequest['messages'], string>();

  constructor(runs: HookRuns, stops: HookStops) {
    this.runs = runs;
    this.stops = stops;
  }

  /** Returns the request to send. Throws `HookStopError` if it must not be sent. */
  async beforeRequest(request: ModelRequest): Promise<ModelRequest> {
    if (this.stops.reason !== undefined) throw this.stops.stop(this.stops.reason);
    const changed = await this.beforeModel(request);
    if (this.given.has(changed.messages) || changed.tools.length === 0) return changed;
    return await this.beforeToolSelection(changed);
  }

  /** Wraps the provider, so that a step receives answers that hooks gave or changed. */
  provider(inner: ModelProvider): ModelProvider {
    if (!this.runs.has('AfterModel') && !this.runs.has('BeforeModel')) return inner;
    const stream = (request: ModelRequest) => this.stream(inner, request);
    return { stream, listModels: signal => inner.listModels(signal) };
  }

  private async beforeModel(request: ModelRequest): Promise<ModelRequest> {
    if (!this.runs.has('BeforeModel') || request.signal.aborted) return request;
    const verdict = await this.runs.run({
      event: 'BeforeModel',
      fields: { llm_request: toHookRequest(request) },
      signal: request.signal,
      next: ({ llm_request }, { llmRequest }) => ({
        llm_request: { ...(llm_request as object), ...llmRequest },
      }),
    });
    if (verdict.stop !== undefined) throw this.stops.stop(verdict.stop);
    const answer = verdict.llmResponse && findResponseText(verdict.llmResponse);
    if (answer === undefined && verdict.block !== undefined) throw this.stops.stop(verdict.block);
    const changed = verdict.llmRequest ? applyRequestChanges(request, verdict.llmRequest) : request;
    const reported = withContext(changed, formatHookTexts('BeforeModel', verdict.contexts));
    if (answer === undefined) return reported;
    const messages = [...reported.messages];
    this.given.set(messages, answer);
    return { ...reported, messages };
  }

  private async beforeToolSelection(request: ModelRequest): Promise<ModelRequest> {
    if (!this.runs.has('BeforeToolSelection') || request.signal.aborted) return request;
    const { stop, toolConfig } = await this.runs.run({
      event: 'BeforeToolSelection',
      fields: { llm_request: toHookRequest(request) },
      signal: request.signal,
    });
    if (stop !== undefined) throw this.stops.stop(stop);
    return toolConfig ? restrictTools(request, toolConfig) : request;
  }

  /** Text is buffered until the hook has seen the whole answer, since it may replace it; thoughts are not. */
  private async *stream(inner: ModelProvider, request: ModelRequest): AsyncGenerator<ModelEvent> {
    const given = this.given.get(request.messages);
    const events = given === undefined ? inner.stream(request) : inventedAnswer(given);
    if (!this.runs.has('AfterModel')) {
      yield* events;
      return;
    }
    for await (const event of events) {
      if (event.type === 'thought') yield event;
      if (event.type !== 'end') continue;
      const end = event.end.ok ? await this.afterModel(request, event.end) : event.end;
      if (end.ok) yield* textsOf(end.message);
      yield { type: 'end', end };
    }
  }

  private async afterModel(request: ModelRequest, end: Answered): Promise<Answered> {
    const { message, finish } = end;
    const running = this.runs.run({
      event: 'AfterModel',
      fields: { llm_request: toHookRequest(request), llm_response: toHookResponse(message, finish) },
      signal: request.signal,
    });
    // After an abort the hook's answer does not count, but the stream must still end.
    const verdict = await abortable(running, request.signal).catch(() => undefined);
    if (!verdict) return end;
    const { stop, block, llmResponse } = verdict;
    if (block !== undefined) return withWords(end, this.heldBack(block));
    if (stop !== undefined) {
      this.stops.stop(stop);
      return { ...end, message: withoutCalls(message) };
    }
    const text = llmResponse && findResponseText(llmResponse);
    return text === undefined ? end : withWords(end, text);
  }

  private heldBack(reason: LocalizedMessage): string {
    this.stops.stop(reason);
    return '[A hook held this answer back.]';
  }
}

/** Replaces the answer's text and drops its calls. */
function withWords(end: Answered, text: string): Answered {
  return { ...end, cut: undefined, message: { role: 'model', parts: [{ kind: 'text', text }] } };
}

/** Drops the calls, since the work ends with this answer. */
function withoutCalls(message: Message): Message {
  const parts = message.parts.filter(part => part.kind !== 'call');
  return {
    ...message,
    parts: parts.length > 0 ? parts : [{ kind: 'text', text: '[A hook ended the work.]' }],
  };
}

function* textsOf(message: Message): Generator<ModelEvent> {
  for (const part of message.parts)
    if (part.kind === 'text' && part.text) yield { type: 'text', text: part.text };
}

async function* inventedAnswer(text: string): AsyncGenerator<ModelEvent> {
  const message: Message = { role: 'model', parts: [{ kind: 'text', text }] };
  yield { type: 'text', text };
  yield { type: 'end', end: { ok: true, message, finish: 'STOP', citations: [] } };
}

/** Appends the context to the newest prompt or results. */
function withContext(request: ModelRequest, context: string): ModelRequest {
  const last = request.messages.at(-1);
  if (context === '' || last?.role !== 'user') return request;
  const message: Message = { role: 'user', parts: [...last.parts, { kind: 'text', text: context }] };
  return { ...request, messages: request.messages.with(-1, message) };
}
