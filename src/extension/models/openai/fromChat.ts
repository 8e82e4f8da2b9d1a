/* From the chunks of a server to Folio's events, and to the answer as a whole. */

import type { Part, Usage } from '../../../protocol/events.ts';
import { isRecord } from '../../base/record.ts';
import type { ModelEvent } from '../../core/model.ts';
import { tokenCount } from '../tokenCount.ts';
import { CallDeltas, type GatheredCall } from './callDeltas.ts';
import { InlineThoughts, type Said } from './inlineThoughts.ts';
import type { ChatChunk, ChatDelta, ChatUsage } from './wire.ts';

/** What an answer amounted to once its stream is over; whether it is valid is judged in streamCheck. */
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

  constructor(newId: () => string, isTaken: (id: string) => boolean) {
    this.newId = newId;
    this.isTaken = isTaken;
  }

  /** @param form in which the answer came: only in a stream a message beside a delta repeats what was there before */
  *take(chunk: ChatChunk | null, form: 'stream' | 'whole'): Generator<ModelEvent> {
    if (!chunk) return;
    this.usage = toUsage(chunk.usage) ?? this.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return;
    this.finish = choice.finish_reason || this.finish;
    const { delta, message } = choice;
    const taken = form === 'whole' ? (message ?? delta) : (delta ?? message);
    if (taken) yield* this.takeDelta(taken);
  }

  /** The stream is over: tells what was held back. */
  *end(): Generator<ModelEvent> {
    for (const said of this.thoughts.end()) yield* this.say(said);
  }

  /** @param isComplete it came with the mark that ends a stream, or as a whole: some servers give no other sign */
  gathered(isComplete: boolean): Gathered {
    const { said, usage, finish, refusal } = this;
    const calls = this.calls.calls(this.newId, this.isTaken);
    return { said, calls, usage, finish, isOver: isComplete || finish !== undefined, refusal };
  }

  private *takeDelta(delta: ChatDelta): Generator<ModelEvent> {
    const thought = textOf(delta.reasoning_content) || textOf(delta.reasoning);
    if (thought !== '') yield* this.say({ kind: 'thought', text: thought });
    for (const piece of piecesOf(delta.content)) yield* this.takePiece(piece);
    this.refusal += textOf(delta.refusal);
    for (const call of delta.tool_calls ?? []) {
      if (call) this.calls.take(call);
    }
  }

  private *takePiece({ kind, text }: Said): Generator<ModelEvent> {
    if (kind === 'text') for (const said of this.thoughts.take(text)) yield* this.say(said);
    else yield* this.say({ kind, text });
  }

  private *say(said: Said): Generator<ModelEvent> {
    const last = this.said.at(-1);
    if (last?.kind === said.kind) this.said[this.said.length - 1] = { ...said, text: last.text + said.text };
    else this.said.push(said);
    yield { type: said.kind, text: said.text };
  }
}

/** As it goes into history. */
export function partsOf({ said, calls }: Gathered): readonly Part[] {
  return [...said, ...calls.map(({ broken: _broken, bare: _bare, ...call }) => call)];
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
      ? { kind: 'thought', text: textOf(thinking) }
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
