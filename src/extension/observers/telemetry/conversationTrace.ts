/*
 * Builds the spans of one conversation (a session's or a subagent's) from its events:
 *
 *     invoke_agent           a turn
 *       chat                 one request to a model; each retry has its own
 *       execute_tool         a call, including a subagent's work
 *         invoke_agent
 *       folio.hook           in the call that it concerns, otherwise in the turn
 *       folio.compression
 *
 * Names without `folio` are from OpenTelemetry's conventions for generative AI.
 */

import type { SessionEvent, TurnEnd, Usage } from '../../../protocol/events.ts';
import { inputText, outputText } from './messageTexts.ts';
import { OpenSpan } from './openSpan.ts';
import type { Attributes, SpanContext, TelemetrySink } from './span.ts';

interface TracedConversation {
  readonly sessionId: string;
  readonly agent: string;
  /** Record message texts. */
  readonly captures: boolean;
  /** The provider's name in the conventions. */
  readonly provider: (model: string) => string;
  /** Parent span of its turns. If `undefined`, each turn starts a trace. */
  readonly parent: () => SpanContext | undefined;
}

interface OpenCall {
  readonly span: OpenSpan;
  readonly tool: string;
  isServers: boolean;
}

interface OpenStep {
  readonly span: OpenSpan;
  readonly model: string;
  isAnswering: boolean;
}

export class ConversationTrace {
  private readonly of: TracedConversation;
  private readonly sink: TelemetrySink;
  private readonly calls = new Map<string, OpenCall>();
  private readonly hooks = new Map<string, OpenSpan>();
  private readonly compressions = new Map<string, OpenSpan>();
  private turn: OpenSpan | undefined;
  private step: OpenStep | undefined;
  private model = '';
  private spent = { input: 0, output: 0 };
  /** Messages since the last request, if texts are recorded. */
  private unsent: Extract<SessionEvent, { type: 'message.added' }>['message'][] = [];

  constructor(of: TracedConversation, sink: TelemetrySink) {
    this.of = of;
    this.sink = sink;
  }

  contextOf(callId: string): SpanContext | undefined {
    return this.calls.get(callId)?.span;
  }

  /** Marks the call as one to an MCP server; its span also counts as the server's request. */
  noteServers(callId: string): void {
    const call = this.calls.get(callId);
    if (!call) return;
    call.isServers = true;
    call.span.add({ 'mcp.method.name': 'tools/call' });
  }

  /** @param event with known secrets masked */
  hear(event: SessionEvent): void {
    switch (event.type) {
      case 'session.started':
      case 'model.changed':
      case 'model.routed':
        this.model = event.model;
        return;
      case 'turn.started':
      case 'turn.retried':
        this.beginTurn(event.at);
        return;
      case 'turn.ended':
        this.endTurn(event.end, event.lastActiveAt ?? event.at);
        return;
      case 'message.added':
        this.hearMessage(event.message);
        return;
      case 'side.asked':
        this.hearSide(event);
        return;
      default:
        this.hearStep(event);
        this.hearCall(event);
        this.hearRest(event);
    }
  }

  private hearStep(event: SessionEvent): void {
    switch (event.type) {
      case 'step.started':
        this.beginRequest(event.model, event.at);
        return;
      case 'text.appended':
      case 'thought.appended':
        this.noteFirstChunk(event.at);
        return;
      case 'step.retried': {
        const model = event.model ?? this.step?.model ?? this.model;
        this.endRequest(event.at, '_OTHER');
        this.beginRequest(model, event.at + event.delayMs, event.attempt);
        return;
      }
      case 'step.ended':
        this.countUsage(event.usage);
        this.step?.span.add({
          'gen_ai.response.finish_reasons': [event.finish],
          ...usageOf(event.usage),
          'folio.cost': event.cost === undefined ? undefined : { fraction: event.cost },
        });
        this.endRequest(event.at);
        return;
    }
  }

  private hearCall(event: SessionEvent): void {
    switch (event.type) {
      case 'call.requested':
        this.beginCall(event);
        return;
      case 'call.asked':
        this.calls.get(event.callId)?.span.note('folio.asked', event.at);
        return;
      case 'call.decided':
        this.calls
          .get(event.callId)
          ?.span.note('folio.decided', event.at, { 'folio.decision': event.decision });
        return;
      case 'call.started':
        this.calls.get(event.callId)?.span.note('folio.started', event.at);
        return;
      case 'call.ended':
        this.endCall(event);
        return;
    }
  }

  private hearRest(event: SessionEvent): void {
    switch (event.type) {
      case 'hook.started': {
        const parent = event.callId === undefined ? undefined : this.contextOf(event.callId);
        const attributes = { 'folio.hook.event': event.event };
        const name = `folio.hook ${event.event}`;
        this.hooks.set(event.runId, this.open(name, 'internal', event.at, attributes, parent));
        return;
      }
      case 'hook.ended': {
        const failed = event.outcome === 'failed' || event.outcome === 'timedOut';
        this.hooks.get(event.runId)?.add({ 'folio.hook.outcome': event.outcome });
        this.close(this.hooks, event.runId, event.at, failed ? event.outcome : undefined);
        return;
      }
      case 'compression.started': {
        const attributes = { 'folio.compression.trigger': event.trigger };
        const span = this.open('folio.compression', 'internal', event.at, attributes);
        this.compressions.set(event.compressionId, span);
        return;
      }
      case 'compression.applied':
        this.compressions.get(event.compressionId)?.add({
          'folio.compression.tokens_before': event.plan.tokens.before,
          'folio.compression.tokens_after': event.plan.tokens.after,
        });
        this.close(this.compressions, event.compressionId, event.at);
        return;
      case 'compression.ended':
        this.close(
          this.compressions,
          event.compressionId,
          event.at,
          event.end.kind === 'failed' ? 'failed' : undefined,
        );
        return;
    }
  }

  private beginTurn(at: number): void {
    const { agent, captures } = this.of;
    // Its prompt follows.
    if (captures) this.unsent = [];
    this.spent = { input: 0, output: 0 };
    const attributes = { ...this.common('invoke_agent'), 'gen_ai.agent.name': agent };
    this.turn = undefined;
    this.turn = this.open(`invoke_agent ${agent}`, 'internal', at, attributes);
  }

  private endTurn(end: TurnEnd, at: number): void {
    const { turn, spent } = this;
    if (!turn) return;
    const error = errorOf(end);
    this.endRequest(at, error ?? 'cancelled');
    turn.add({
      // Known only at the end of the turn.
      ...this.common('invoke_agent'),
      'folio.turn.end': end.kind,
      'gen_ai.usage.input_tokens': spent.input,
      'gen_ai.usage.output_tokens': spent.output,
    });
    this.sink.end(turn.end(at, error));
    this.turn = undefined;
    const attributes = { ...this.common('invoke_agent'), 'gen_ai.agent.name': this.of.agent };
    this.measureTime('gen_ai.invoke_agent.duration', at - turn.startedAt, attributes, error);
  }

  private beginRequest(model: string, at: number, attempt?: number): void {
    this.model = model;
    const attributes = {
      ...this.common('chat'),
      'gen_ai.conversation.id': this.of.sessionId,
      'gen_ai.request.stream': true,
      'folio.attempt': attempt,
      'gen_ai.input.messages': this.unsent.length > 0 ? inputText(this.unsent) : undefined,
    };
    const span = this.open(`chat ${model}`, 'client', at, attributes);
    this.step = { span, model, isAnswering: false };
  }

  private noteFirstChunk(at: number): void {
    const { step } = this;
    if (!step || step.isAnswering) return;
    step.isAnswering = true;
    const ms = at - step.span.startedAt;
    step.span.add({ 'gen_ai.response.time_to_first_chunk': { fraction: ms / 1000 } });
    this.measureTime('gen_ai.client.operation.time_to_first_chunk', ms, this.common('chat'));
  }

  /** @param error omitted on success */
  private endRequest(at: number, error?: string): void {
    const { step } = this;
    this.step = undefined;
    // The turn was stopped before a retry was sent.
    if (!step || at < step.span.startedAt) return;
    if (error === undefined) this.unsent = [];
    this.sink.end(step.span.end(at, error));
    const ms = at - step.span.startedAt;
    this.measureTime('gen_ai.client.operation.duration', ms, this.common('chat'), error);
  }

  private beginCall({ callId, tool, effect, args, at }: SessionEvent<'call.requested'>): void {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.call.arguments': this.of.captures ? JSON.stringify(args) : undefined,
      'folio.effect': effect,
    };
    const span = this.open(`execute_tool ${tool}`, 'internal', at, attributes);
    this.calls.set(callId, { span, tool, isServers: false });
  }

  private endCall({ callId, outcome, durationMs, at }: SessionEvent<'call.ended'>): void {
    const call = this.calls.get(callId);
    if (!call) return;
    this.calls.delete(callId);
    const error = outcome === 'ok' ? undefined : outcome;
    call.span.add({ 'folio.outcome': outcome });
    this.sink.end(call.span.end(at, error));
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': call.tool };
    this.measureTime('gen_ai.execute_tool.duration', durationMs, attributes, error);
    const asRequest = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': call.tool };
    if (call.isServers) this.measureTime('mcp.client.operation.duration', durationMs, asRequest, error);
  }

  private hearMessage(message: (typeof this.unsent)[number]): void {
    if (!this.of.captures) return;
    if (message.role === 'model' && this.step) {
      this.step.span.add({ 'gen_ai.output.messages': outputText(message) });
    } else {
      this.unsent.push(message);
    }
  }

  /** The start time is unknown, so it becomes an event of the span that requested it. */
  private hearSide({ purpose, model, usage, cost, at }: SessionEvent<'side.asked'>): void {
    const span = [...this.compressions.values()].at(-1) ?? this.turn;
    span?.note('folio.side_request', at, {
      'folio.purpose': purpose,
      'gen_ai.request.model': model,
      ...usageOf(usage),
      'folio.cost': cost === undefined ? undefined : { fraction: cost },
    });
    this.countUsage(usage, model);
  }

  private countUsage(usage: Usage | undefined, model = this.step?.model ?? this.model): void {
    if (!usage) return;
    const [input, output] = [usage.prompt, usage.output + usage.thoughts];
    this.spent = { input: this.spent.input + input, output: this.spent.output + output };
    const common = this.common('chat', model);
    this.sink.measure('gen_ai.client.token.usage', input, { ...common, 'gen_ai.token.type': 'input' });
    this.sink.measure('gen_ai.client.token.usage', output, { ...common, 'gen_ai.token.type': 'output' });
  }

  private measureTime(
    metric: Parameters<TelemetrySink['measure']>[0],
    ms: number,
    attributes: Attributes,
    error?: string,
  ): void {
    this.sink.measure(metric, Math.max(0, ms) / 1000, { ...attributes, 'error.type': error });
  }

  private common(operation: 'chat' | 'invoke_agent', model = this.model): Attributes {
    return {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': this.of.provider(model),
      'gen_ai.request.model': model,
    };
  }

  private open(
    name: string,
    kind: 'internal' | 'client',
    startedAt: number,
    attributes: Attributes,
    parent: SpanContext | undefined = this.turn ?? this.of.parent(),
  ): OpenSpan {
    const all = { 'gen_ai.conversation.id': this.of.sessionId, ...attributes };
    return new OpenSpan({ name, kind, startedAt, attributes: all }, parent);
  }

  private close(spans: Map<string, OpenSpan>, id: string, at: number, error?: string): void {
    const span = spans.get(id);
    if (span) this.sink.end(span.end(at, error));
    spans.delete(id);
  }
}

function usageOf(usage: Usage | undefined): Attributes {
  if (!usage) return {};
  return {
    'gen_ai.usage.input_tokens': usage.prompt,
    'gen_ai.usage.output_tokens': usage.output + usage.thoughts,
    'gen_ai.usage.reasoning.output_tokens': usage.thoughts,
    'gen_ai.usage.cache_read.input_tokens': usage.cached,
    'gen_ai.usage.cache_creation.input_tokens': usage.written,
  };
}

/** Error type of a turn that did not complete. */
function errorOf(end: TurnEnd): string | undefined {
  switch (end.kind) {
    case 'rested':
      return undefined;
    case 'failed':
      return end.trouble.kind;
    case 'stopped':
      return 'cancelled';
    case 'budget':
    case 'loop':
    case 'hook':
      return end.kind;
  }
}
