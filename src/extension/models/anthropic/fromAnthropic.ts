/*
 * Converts Anthropic's stream to Folio's events and to the complete answer. An answer is a list of blocks; each begins,
 * grows and ends by its index. Events and blocks of unknown types are ignored, as the service asks.
 */

import type { Part, Usage } from '../../../protocol/events.ts';
import type { Citation } from '../../../protocol/values.ts';
import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import type { ModelEnd } from '../../core/model.ts';
import { readCallArguments } from '../wire/callArguments.ts';
import { type AnswerGatherer, buildModelEnd, type TextEvent } from '../wire/streamAnswer.ts';
import { parseTokenCount } from '../wire/tokenCount.ts';

type Fields = Readonly<Record<string, unknown>>;

type Draft =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; text: string; signature: string }
  | { readonly kind: 'redacted_thinking'; readonly data: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      json: string;
    };

export class AnthropicGatherer implements AnswerGatherer {
  private readonly newId: () => string;
  /** In the order in which they began. */
  private readonly drafts: Draft[] = [];
  /** The newest draft of each index. */
  private readonly open = new Map<unknown, Draft>();
  private counts: Fields = {};
  isOver = false;
  /** Pages of the service's own search, in the order in which the answer cites them. */
  private readonly citations: Citation[] = [];
  private refusal = '';
  private reason = '';

  constructor(newId: () => string) {
    this.newId = newId;
  }

  *take(event: unknown): Generator<TextEvent> {
    if (!isRecord(event)) return;
    const { type, index } = event;
    if (type === 'message_start') this.count(fieldsOf(event.message).usage);
    if (type === 'message_stop') this.isOver = true;
    if (type === 'content_block_start') yield* this.begin(index, fieldsOf(event.content_block));
    if (type === 'content_block_delta') {
      const delta = fieldsOf(event.delta);
      if (delta.type === 'citations_delta') this.cite(fieldsOf(delta.citation));
      yield* this.grow(this.open.get(index), delta);
    }
    if (type === 'message_delta') {
      const { stop_reason, stop_details } = fieldsOf(event.delta);
      this.reason = textOrEmpty(stop_reason) || this.reason;
      this.refusal ||= textOrEmpty(fieldsOf(stop_details).explanation);
      this.count(event.usage);
    }
  }

  end(server: string): ModelEnd {
    const { drafts, isOver, reason, refusal, citations, usage } = this;
    const isCut = /^(max_tokens|model_context_window_exceeded)$/.test(reason);
    const isRefused = reason === 'refusal';
    const last = isCut ? drafts.at(-1) : undefined;
    return buildModelEnd(
      {
        isOver,
        ended: isCut ? 'cut' : isRefused && refusal === '' ? 'refused' : 'normally',
        // If the service stopped the answer, nothing in it counts.
        hasCalls: !isRefused && drafts.some(({ kind }) => kind === 'call'),
        text: drafts.map(draft => (draft.kind === 'text' ? draft.text : '')).join(''),
        hasThought: drafts.some(({ kind }) => kind === 'thinking' || kind === 'redacted_thinking'),
        refusal: isRefused ? refusal : '',
      },
      {
        message: { role: 'model', parts: drafts.flatMap(draft => partOf(draft, server, draft === last)) },
        finish: reason,
        cut: isCut || undefined,
        // The service continues a long answer with the next request ("Handling stop reasons" of its documentation).
        paused: reason === 'pause_turn' || undefined,
        citations,
        usage,
      },
    );
  }

  /** The prompt's size is the sum of uncached tokens, cache reads and cache writes. */
  private get usage(): Usage | undefined {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = this.counts;
    if (typeof input_tokens !== 'number') return undefined;
    const cached = parseTokenCount(cache_read_input_tokens);
    const written = parseTokenCount(cache_creation_input_tokens);
    const { ephemeral_1h_input_tokens } = fieldsOf(this.counts.cache_creation);
    const writtenForAnHour = Math.min(written, parseTokenCount(ephemeral_1h_input_tokens));
    const all = parseTokenCount(output_tokens);
    const thoughts = Math.min(
      all,
      parseTokenCount(fieldsOf(this.counts.output_tokens_details).thinking_tokens),
    );
    const prompt = parseTokenCount(input_tokens) + cached + written;
    return {
      prompt,
      cached,
      output: all - thoughts,
      thoughts,
      written: written || undefined,
      writtenForAnHour: writtenForAnHour || undefined,
    };
  }

  private cite({ type, url, title }: Fields): void {
    if (type !== 'web_search_result_location' || typeof url !== 'string') return;
    this.citations.push({ uri: url, title: textOrEmpty(title) || undefined });
  }

  /** Later counts cover the whole answer and omit what did not change. */
  private count(usage: unknown): void {
    const known = Object.entries(fieldsOf(usage)).filter(([, value]) => value !== null);
    this.counts = { ...this.counts, ...Object.fromEntries(known) };
  }

  private *begin(index: unknown, block: Fields): Generator<TextEvent> {
    const draft = this.draftOf(block);
    if (!draft) return;
    this.drafts.push(draft);
    this.open.set(index, draft);
    yield* this.grow(draft, block);
  }

  /** Omits the text, which may also come with the start of the block. */
  private draftOf({ type, data, id, name, input }: Fields): Draft | undefined {
    switch (type) {
      case 'text':
        return { kind: 'text', text: '' };
      case 'thinking':
        return { kind: 'thinking', text: '', signature: '' };
      case 'redacted_thinking':
        return { kind: 'redacted_thinking', data: textOrEmpty(data) };
      case 'tool_use':
        return {
          kind: 'call',
          id: textOrEmpty(id) || this.newId(),
          name: textOrEmpty(name),
          input,
          json: '',
        };
      default:
        return undefined;
    }
  }

  private *grow(draft: Draft | undefined, delta: Fields): Generator<TextEvent> {
    const text = textOrEmpty(delta.text);
    const thought = textOrEmpty(delta.thinking);
    switch (draft?.kind) {
      case 'text':
        draft.text += text;
        if (text !== '') yield { type: 'text', text };
        return;
      case 'thinking':
        draft.text += thought;
        draft.signature += textOrEmpty(delta.signature);
        if (thought !== '') yield { type: 'thought', text: thought };
        return;
      case 'call':
        draft.json += textOrEmpty(delta.partial_json);
        return;
    }
  }
}

/** @param isCut the answer reached its length limit within this draft */
function partOf(draft: Draft, server: string, isCut: boolean): readonly Part[] {
  switch (draft.kind) {
    case 'text':
      return draft.text === '' ? [] : [{ kind: 'text', text: draft.text }];
    case 'thinking': {
      const { text, signature } = draft;
      return [
        { kind: 'thought', text, signature: signature || undefined, origin: { server, member: 'thinking' } },
      ];
    }
    case 'redacted_thinking': {
      const origin = { server, member: 'redacted_thinking' };
      return [{ kind: 'thought', text: '', signature: draft.data, origin }];
    }
    case 'call':
      return [{ kind: 'call', id: draft.id, name: draft.name, ...argumentsOf(draft, isCut) }];
  }
}

/** Arguments come in chunks. Some gateways send them whole at the start of the block. */
function argumentsOf({ json, input }: Extract<Draft, { kind: 'call' }>, isCut: boolean) {
  const isWhole = json.trim() === '' && isRecord(input) && (!isCut || Object.keys(input).length > 0);
  return isWhole ? { args: input } : readCallArguments(json, isCut);
}
