/*
 * Converts the events of OpenAI's Responses API to Folio's events and to the complete answer. An answer is a list of
 * items; each begins, grows and ends by its index. The final state of an item counts, since encrypted thoughts are
 * complete only then. Events and items of unknown types are ignored.
 */

import type { Part, Usage } from '../../../protocol/events.ts';
import type { Citation, PartWireData } from '../../../protocol/values.ts';
import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import type { ModelEnd } from '../../core/model.ts';
import { readCallArguments } from '../wire/callArguments.ts';
import { ServerReportedError } from '../wire/readAnswerEvents.ts';
import { type AnswerGatherer, buildModelEnd, type TextEvent } from '../wire/streamAnswer.ts';
import { parseTokenCount } from '../wire/tokenCount.ts';
import { phaseMember, thoughtMember } from './toResponses.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Draft {
  /** The item as it began, then as it ended. */
  item: Fields;
  /** Text received so far: of a message, of a thought, or the arguments of a call. */
  said: string;
}

export class ResponsesGatherer implements AnswerGatherer {
  private readonly newId: () => string;
  /** In the order in which they began. */
  private readonly drafts: Draft[] = [];
  /** The newest draft of each index. */
  private readonly open = new Map<unknown, Draft>();
  private refusal = '';
  /** The complete answer in its last event. */
  private last: Fields | undefined;

  constructor(newId: () => string) {
    this.newId = newId;
  }

  /** @throws ServerReportedError */
  *take(event: unknown): Generator<TextEvent> {
    if (!isRecord(event)) return;
    const { output_index: index } = event;
    const delta = textOrEmpty(event.delta);
    switch (event.type) {
      case 'response.output_item.added':
        this.begin(index, fieldsOf(event.item));
        return;
      case 'response.output_text.delta':
        return yield* this.say('text', index, delta);
      case 'response.reasoning_summary_part.added':
        if (this.open.get(index)?.said) yield* this.say('thought', index, '\n\n');
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return yield* this.say('thought', index, delta);
      case 'response.refusal.delta':
        this.refusal += delta;
        return;
      case 'response.output_item.done':
        return yield* this.complete(index, fieldsOf(event.item));
      case 'response.completed':
      case 'response.incomplete':
        this.last = fieldsOf(event.response);
        return;
      case 'response.failed':
        throw new ServerReportedError(event.response);
      case 'error':
        throw new ServerReportedError(event);
    }
  }

  get isOver(): boolean {
    return this.last !== undefined;
  }

  end(server: string): ModelEnd {
    const { reason, isOver, citations, usage, last } = this;
    const items = this.drafts.map(({ item }) => item);
    const isCut = reason === 'max_output_tokens';
    const cut = isCut ? items.at(-1) : undefined;
    return buildModelEnd(
      {
        isOver,
        ended: isCut ? 'cut' : reason === 'content_filter' ? 'filtered' : 'normally',
        hasCalls: items.some(({ type }) => type === 'function_call'),
        text: items.map(item => (item.type === 'message' ? wordsOf(item, 'output_text') : '')).join(''),
        hasThought: items.some(({ type }) => type === 'reasoning'),
        refusal: this.refusal || items.map(item => wordsOf(item, 'refusal')).join(''),
      },
      {
        message: {
          role: 'model',
          parts: merged(items.flatMap(item => this.partsOf(item, server, item === cut))),
        },
        finish: reason || textOrEmpty(last?.status),
        cut: isCut || undefined,
        citations,
        usage,
      },
    );
  }

  /** Pages of the service's own search that the answer cites. */
  private get citations(): readonly Citation[] {
    return this.drafts
      .flatMap(({ item }) => listOf(item.content))
      .flatMap(({ annotations }) => listOf(annotations))
      .filter(({ type, url }) => type === 'url_citation' && typeof url === 'string')
      .map(({ url, title }) => ({ uri: textOrEmpty(url), title: textOrEmpty(title) || undefined }));
  }

  private get usage(): Usage | undefined {
    const { input_tokens, input_tokens_details, output_tokens, output_tokens_details } = fieldsOf(
      this.last?.usage,
    );
    if (typeof input_tokens !== 'number') return undefined;
    const prompt = parseTokenCount(input_tokens);
    const written = parseTokenCount(output_tokens);
    const thoughts = Math.min(written, parseTokenCount(fieldsOf(output_tokens_details).reasoning_tokens));
    const cached = Math.min(prompt, parseTokenCount(fieldsOf(input_tokens_details).cached_tokens));
    return { prompt, cached, output: written - thoughts, thoughts };
  }

  /** Why the answer is incomplete. Empty if it is complete. */
  private get reason(): string {
    return textOrEmpty(fieldsOf(this.last?.incomplete_details).reason);
  }

  private *say(type: 'text' | 'thought', index: unknown, text: string): Generator<TextEvent> {
    const draft = this.open.get(index);
    if (!draft || text === '') return;
    draft.said += text;
    yield { type, text };
  }

  /** Some gateways send an item only when it is complete. */
  private *complete(index: unknown, item: Fields): Generator<TextEvent> {
    const draft = this.open.get(index) ?? this.begin(index, item);
    draft.item = item;
    if (draft.said !== '') return;
    if (item.type === 'message') yield* this.say('text', index, wordsOf(item, 'output_text'));
    if (item.type === 'reasoning') yield* this.say('thought', index, summariesOf(item).join('\n\n'));
  }

  private begin(index: unknown, item: Fields): Draft {
    const draft = { item, said: '' };
    this.drafts.push(draft);
    this.open.set(index, draft);
    return draft;
  }

  /** @param isCut the answer reached its length limit within this item */
  private partsOf(item: Fields, server: string, isCut: boolean): readonly Part[] {
    switch (item.type) {
      case 'message':
        return [...phaseParts(item, server), { kind: 'text', text: wordsOf(item, 'output_text') }];
      case 'reasoning':
        return thoughtParts(item, server);
      case 'function_call': {
        const id = textOrEmpty(item.call_id) || this.newId();
        const written = readCallArguments(textOrEmpty(item.arguments), isCut);
        return [{ kind: 'call', id, name: textOrEmpty(item.name), ...written }];
      }
      default:
        return [];
    }
  }
}

/** Merges adjacent texts. */
function merged(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === 'text' && part.text === '') continue;
    if (part.kind === 'text' && last?.kind === 'text')
      result[result.length - 1] = { kind: 'text', text: last.text + part.text };
    else result.push(part);
  }
  return result;
}

/** Newer models need the phase of a text sent back. */
function phaseParts({ phase }: Fields, server: string): readonly Part[] {
  if (typeof phase !== 'string') return [];
  return [{ kind: 'thought', text: '', origin: { server, member: phaseMember, sealed: { phase } } }];
}

/** One part per summary. The first carries the encrypted thought. */
function thoughtParts(item: Fields, server: string): readonly Part[] {
  const [first = '', ...others] = summariesOf(item);
  const origin: PartWireData = { server, member: thoughtMember, id: textOrEmpty(item.id) };
  const signature = textOrEmpty(item.encrypted_content) || undefined;
  return [
    { kind: 'thought', text: first, signature, origin },
    ...others.map((text): Part => ({ kind: 'thought', text, origin })),
  ];
}

/** Open-weight models return their thoughts in `content`. */
function summariesOf({ summary, content }: Fields): readonly string[] {
  const summaries = listOf(summary);
  return (summaries.length > 0 ? summaries : listOf(content)).map(({ text }) => textOrEmpty(text));
}

function wordsOf({ content }: Fields, type: 'output_text' | 'refusal'): string {
  const member = type === 'refusal' ? 'refusal' : 'text';
  return listOf(content)
    .filter(piece => piece.type === type)
    .map(piece => textOrEmpty(piece[member]))
    .join('');
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
