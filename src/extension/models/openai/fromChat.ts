/* Converts a server's chunks to Folio's events and to the complete answer. */

import type { Part, Usage } from '../../../protocol/events.ts';
import type { PartWireData } from '../../../protocol/values.ts';
import { isRecord } from '../../base/record.ts';
import type { ModelEnd } from '../../core/model.ts';
import type { EndedAnswer } from '../wire/answerCheck.ts';
import { streamEndMark } from '../wire/readAnswerEvents.ts';
import { type AnswerGatherer, buildModelEnd, type TextEvent } from '../wire/streamAnswer.ts';
import { parseTokenCount } from '../wire/tokenCount.ts';
import { CallDeltas, type CompleteCall } from './callDeltas.ts';
import { type AnswerChunk, InlineThoughtParser } from './inlineThoughts.ts';
import { ReasoningDetails } from './reasoningDetails.ts';
import type { ChatChunk, ChatDelta, ChatUsage } from './wire.ts';

const endings: ReadonlyMap<string | undefined, EndedAnswer['ended']> = new Map([
  ['length', 'cut'],
  ['error', 'failed'],
  ['content_filter', 'filtered'],
  ['tool_calls', 'calls'],
]);

export class ChatGatherer implements AnswerGatherer {
  private readonly newId: () => string;
  private readonly isTaken: (id: string) => boolean;
  /** Text and thoughts. Adjacent entries of the same kind are merged. */
  private readonly said: AnswerChunk[] = [];
  private readonly calls = new CallDeltas();
  private readonly thoughts = new InlineThoughtParser();
  private usage: Usage | undefined;
  private reason: string | undefined;
  private hasEndMark = false;
  /** The model's own words. */
  private refusal = '';
  private readonly details = new ReasoningDetails();
  /** True if the server sends the member `reasoning_content`, even if empty. */
  private hasReasoningContent = false;

  constructor(newId: () => string, isTaken: (id: string) => boolean) {
    this.newId = newId;
    this.isTaken = isTaken;
  }

  /** Some servers signal the end only with the end mark of the stream. */
  get isOver(): boolean {
    return this.hasEndMark || this.reason !== undefined;
  }

  *take(event: unknown): Generator<TextEvent> {
    this.hasEndMark ||= event === streamEndMark;
    if (!isRecord(event)) return;
    // Any member may be missing, because servers do not keep to the protocol.
    const chunk: ChatChunk = event;
    this.usage = toUsage(chunk.usage) ?? this.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return;
    this.reason = choice.finish_reason || this.reason;
    const { delta, message } = choice;
    // In a stream, a message next to a delta repeats earlier content. A complete answer comes after the mark.
    const taken = this.hasEndMark ? (message ?? delta) : (delta ?? message);
    if (taken) yield* this.addDelta(taken);
  }

  /** Emits the buffered text. */
  *finish(): Generator<TextEvent> {
    for (const said of this.thoughts.end()) yield* this.say(said);
  }

  end(server: string): ModelEnd {
    const { said, usage, reason, refusal, isOver } = this;
    const isCut = reason === 'length';
    const calls = this.calls.calls(this.newId, this.isTaken, isCut);
    return buildModelEnd(
      {
        isOver,
        ended: endings.get(reason) ?? 'normally',
        hasCalls: calls.length > 0,
        text: said.map(({ kind, text }) => (kind === 'text' ? text : '')).join(''),
        hasThought: said.some(({ kind }) => kind === 'thought'),
        refusal,
      },
      {
        message: { role: 'model', parts: this.parts(calls, server) },
        finish: reason ?? '',
        cut: isCut || undefined,
        citations: [],
        usage,
      },
    );
  }

  /**
   * Converts the answer to parts of the history. Parts that the server wants back record its name.
   * @param server host name
   */
  private parts(calls: readonly CompleteCall[], server: string): readonly Part[] {
    const { said, hasReasoningContent } = this;
    const details = this.details.list;
    const spoken = said.map(({ kind, text, member }): Part => {
      return member === undefined ? { kind, text } : { kind: 'thought', text, origin: { server, member } };
    });
    const without: Part[] = [];
    if (details.length > 0) without.push(wordless({ server, sealed: { reasoning_details: details } }));
    // Some servers require the member with each call, even without a thought.
    const isThought = said.some(({ member }) => member === 'reasoning_content');
    if (calls.length > 0 && hasReasoningContent && !isThought)
      without.push(wordless({ server, member: 'reasoning_content' }));
    const named = new Set(details.map(({ id }) => id));
    return [
      ...spoken,
      ...without,
      ...calls.map(call => callPart(call, named.has(call.idFromServer), server)),
    ];
  }

  private *addDelta(delta: ChatDelta): Generator<TextEvent> {
    const { reasoning_content: content, reasoning } = delta;
    this.hasReasoningContent ||= typeof content === 'string';
    this.details.add(delta.reasoning_details);
    const member = textOf(content) === '' ? 'reasoning' : 'reasoning_content';
    const thought = textOf(content) || textOf(reasoning);
    if (thought !== '') yield* this.say({ kind: 'thought', text: thought, member });
    for (const piece of piecesOf(delta.content)) yield* this.addPiece(piece);
    this.refusal += textOf(delta.refusal);
    for (const call of delta.tool_calls ?? []) {
      if (call) this.calls.add(call);
    }
  }

  private *addPiece(piece: AnswerChunk): Generator<TextEvent> {
    if (piece.kind === 'text') for (const said of this.thoughts.addText(piece.text)) yield* this.say(said);
    else yield* this.say(piece);
  }

  private *say(said: AnswerChunk): Generator<TextEvent> {
    const last = this.said.at(-1);
    if (last?.kind === said.kind && last.member === said.member)
      this.said[this.said.length - 1] = { ...said, text: last.text + said.text };
    else this.said.push(said);
    yield { type: said.kind, text: said.text };
  }
}

function wordless(origin: PartWireData): Part {
  return { kind: 'thought', text: '', origin };
}

/** @param isNamed a reasoning detail refers to the call by the server's id */
function callPart({ idFromServer, extra, ...call }: CompleteCall, isNamed: boolean, server: string): Part {
  const sealed = extra && { extra_content: extra };
  if (!sealed && !isNamed) return call;
  return { ...call, origin: { server, id: isNamed ? idFromServer : undefined, sealed } };
}

/** Accepts a text, or a list of texts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map(piece => textOf((piece as { text?: unknown } | null)?.text)).join('');
}

/** Accepts a text, or a list of typed chunks that may include thoughts. */
function piecesOf(content: unknown): readonly AnswerChunk[] {
  if (!Array.isArray(content)) return [{ kind: 'text', text: textOf(content) }];
  return content.filter(isRecord).map(piece => {
    const { type, text, thinking } = piece;
    return type === 'thinking'
      ? { kind: 'thought', text: textOf(thinking), member: 'thinking' }
      : { kind: 'text', text: textOf(text) };
  });
}

function toUsage(usage: ChatUsage | null | undefined): Usage | undefined {
  if (typeof usage?.prompt_tokens !== 'number') return undefined;
  const prompt = parseTokenCount(usage.prompt_tokens);
  const thoughts = parseTokenCount(usage.completion_tokens_details?.reasoning_tokens);
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  const written = parseTokenCount(usage.completion_tokens);
  // Most servers include thoughts in the output count, some do not; the total shows which. Here they are counted
  // separately.
  const beside = thoughts > written || (thoughts > 0 && usage.total_tokens === prompt + written + thoughts);
  const output = beside ? written : written - thoughts;
  return { prompt, cached: Math.min(prompt, parseTokenCount(cached)), output, thoughts };
}
