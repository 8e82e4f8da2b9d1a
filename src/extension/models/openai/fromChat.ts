/* From the chunks of a server to Folio's events, and to the answer as a whole. */

import type { Part, Usage } from '../../../protocol/events.ts';
import type { Origin } from '../../../protocol/values.ts';
import { isRecord } from '../../base/record.ts';
import type { ModelEvent } from '../../core/model.ts';
import { tokenCount } from '../wire/tokenCount.ts';
import { CallDeltas, type GatheredCall } from './callDeltas.ts';
import { InlineThoughts, type Said } from './inlineThoughts.ts';
import { type ReasoningDetail, ReasoningDetails } from './reasoningDetails.ts';
import type { ChatChunk, ChatDelta, ChatUsage } from './wire.ts';

/** The sum of an answer once its stream is over; `answerCheck.ts` classifies whether it is valid. */
export interface Gathered {
  /** Text and thoughts, adjacent ones of a kind merged. */
  readonly said: readonly Said[];
  readonly calls: readonly GatheredCall[];
  readonly usage: Usage | undefined;
  readonly finish: string | undefined;
  /** The server said that nothing follows. */
  readonly isOver: boolean;
  /** In the model's own words. */
  readonly refusal: string;
  readonly details: readonly ReasoningDetail[];
  /** The server has the member `reasoning_content`, whether there was something in it or not. */
  readonly hasReasoningContent: boolean;
}

export class ChatGatherer {
  private readonly newId: () => string;
  private readonly isTaken: (id: string) => boolean;
  private readonly said: Said[] = [];
  private readonly calls = new CallDeltas();
  private readonly thoughts = new InlineThoughts();
  private usage: Usage | undefined;
  private finish: string | undefined;
  private refusal = '';
  private readonly details = new ReasoningDetails();
  private hasReasoningContent = false;

  constructor(newId: () => string, isTaken: (id: string) => boolean) {
    this.newId = newId;
    this.isTaken = isTaken;
  }

  /** @param form in which the answer came: only in a stream a message beside a delta repeats what was there before */
  *addChunk(chunk: ChatChunk | null, form: 'stream' | 'whole'): Generator<ModelEvent> {
    if (!chunk) return;
    this.usage = toUsage(chunk.usage) ?? this.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return;
    this.finish = choice.finish_reason || this.finish;
    const { delta, message } = choice;
    const taken = form === 'whole' ? (message ?? delta) : (delta ?? message);
    if (taken) yield* this.addDelta(taken);
  }

  /** The stream is over: tells what was held back. */
  *end(): Generator<ModelEvent> {
    for (const said of this.thoughts.end()) yield* this.say(said);
  }

  /** @param isComplete it came with the mark that ends a stream, or as a whole: some servers give no other sign */
  gathered(isComplete: boolean): Gathered {
    const { said, usage, finish, refusal, hasReasoningContent } = this;
    const calls = this.calls.calls(this.newId, this.isTaken, finish === 'length');
    const isOver = isComplete || finish !== undefined;
    const details = this.details.list;
    return { said, calls, usage, finish, isOver, refusal, details, hasReasoningContent };
  }

  private *addDelta(delta: ChatDelta): Generator<ModelEvent> {
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

  private *addPiece(piece: Said): Generator<ModelEvent> {
    if (piece.kind === 'text') for (const said of this.thoughts.addText(piece.text)) yield* this.say(said);
    else yield* this.say(piece);
  }

  private *say(said: Said): Generator<ModelEvent> {
    const last = this.said.at(-1);
    if (last?.kind === said.kind && last.member === said.member)
      this.said[this.said.length - 1] = { ...said, text: last.text + said.text };
    else this.said.push(said);
    yield { type: said.kind, text: said.text };
  }
}

/**
 * As it goes into history. What the server wants back of it remembers this server.
 * @param server name of its host
 */
export function partsOf(gathered: Gathered, server: string): readonly Part[] {
  const { said, calls, details, hasReasoningContent } = gathered;
  const spoken = said.map(({ kind, text, member }): Part => {
    return member === undefined ? { kind, text } : { kind: 'thought', text, origin: { server, member } };
  });
  const without: Part[] = [];
  if (details.length > 0) without.push(wordless({ server, sealed: { reasoning_details: details } }));
  // Some servers insist on the member with each call, also where nothing was thought.
  const isThought = said.some(({ member }) => member === 'reasoning_content');
  if (calls.length > 0 && hasReasoningContent && !isThought)
    without.push(wordless({ server, member: 'reasoning_content' }));
  return [...spoken, ...without, ...calls.map(call => callPart(call, gathered, server))];
}

function wordless(origin: Origin): Part {
  return { kind: 'thought', text: '', origin };
}

function callPart(
  { id, name, args, unreadable, given, extra }: GatheredCall,
  { details }: Gathered,
  server: string,
): Part {
  const sealed = extra && { extra_content: extra };
  const isNamed = details.some(detail => detail.id === given);
  if (!sealed && !isNamed) return { kind: 'call', id, name, args, unreadable };
  return {
    kind: 'call',
    id,
    name,
    args,
    unreadable,
    origin: { server, id: isNamed ? given : undefined, sealed },
  };
}

/** A text, or the texts of a list of pieces. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map(piece => textOf((piece as { text?: unknown } | null)?.text)).join('');
}

/** A text, or a list of typed pieces, thoughts among them. */
function piecesOf(content: unknown): readonly Said[] {
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
  const prompt = tokenCount(usage.prompt_tokens);
  const thoughts = tokenCount(usage.completion_tokens_details?.reasoning_tokens);
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  const written = tokenCount(usage.completion_tokens);
  // Most servers count thoughts among what was written, some beside it; the total tells. Here they are counted apart.
  const beside = thoughts > written || (thoughts > 0 && usage.total_tokens === prompt + written + thoughts);
  const output = beside ? written : written - thoughts;
  return { prompt, cached: Math.min(prompt, tokenCount(cached)), output, thoughts };
}
