/*
 * The messages between the model and its user. A provider accepts them only when roles alternate, the first message
 * is the user's, and the message after a call answers it:
 *
 *   user: prompt ─► model: text, call a, call b ─► user: result a, result b ─► model: …
 *
 * Words of the user while calls run go into the message of the results. Messages are kept as they were added;
 * `forRequest` makes them acceptable. A compression takes nothing away: it only says what the model reads in place of
 * the oldest messages, so that going back and undoing need no second copy.
 */

import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { Message, Part, SessionEvent } from '../../../protocol/events.ts';
import { answered } from './answered.ts';
import { RefusedContent } from './refusedParts.ts';
import { Signatures } from './signatures.ts';

type CallPart = Extract<Part, { kind: 'call' }>;

/** Stands where an answer to results never came, because the user continued with a new prompt. */
const interrupted: Message = {
  role: 'model',
  parts: [{ kind: 'text', text: '[Interrupted before answering.]' }],
};

interface Compressed {
  readonly id: string;
  readonly plan: CompressionPlan;
}

export class History {
  private list: Message[] = [];
  /** In force, oldest first; the newest says what is sent. */
  private compressions: readonly Compressed[] = [];
  /** The messages that a rewind took away, until it is undone. */
  private beforeRewind: { list: Message[]; compressions: readonly Compressed[] } | undefined;
  /** `list` with the newest compression in force. */
  private shown: Message[] = this.list;
  private readonly callIds = new Set<string>();
  private readonly signatures = new Signatures();
  private readonly refused = new RefusedContent();

  /** The messages as the model reads them. */
  get messages(): readonly Message[] {
    return this.shown;
  }

  /** Everything that was said, compressed or not. Indices of events and places count in it. */
  get whole(): readonly Message[] {
    return this.list;
  }

  /** The newest compression in force. */
  get compression(): CompressionPlan | undefined {
    return this.compressions.at(-1)?.plan;
  }

  /**
   * Keeps what is too large for the state, which the page shares: whole messages, and what a rewind took of them.
   * @param answering the model that was asked for the newest answer
   */
  fold(event: SessionEvent, answering?: string): void {
    switch (event.type) {
      case 'message.added':
        if (event.message.role === 'model' && answering !== undefined)
          this.signatures.addAnswer(event.message, answering);
        this.list.push(event.message);
        if (this.shown !== this.list) this.shown.push(event.message);
        for (const { id } of callsOf(event.message)) this.callIds.add(id);
        return;
      case 'parts.refused':
        this.refused.add(event);
        return;
      case 'session.rewound': {
        const { list, compressions } = this;
        const { keptMessages } = event;
        this.beforeRewind = { list, compressions };
        this.show(
          list.slice(0, keptMessages),
          compressions.filter(({ plan }) => plan.keptFrom <= keptMessages),
        );
        return;
      }
      case 'rewind.undone':
        if (this.beforeRewind) this.show(this.beforeRewind.list, this.beforeRewind.compressions);
        return;
      case 'compression.applied': {
        const { compressionId: id, plan } = event;
        this.show(this.list, [...this.compressions.filter(each => each.id !== id), { id, plan }]);
        return;
      }
      case 'compression.undone':
        this.show(
          this.list,
          this.compressions.filter(({ id }) => id !== event.compressionId),
        );
        return;
    }
  }

  private show(list: Message[], compressions: readonly Compressed[]): void {
    this.list = list;
    this.compressions = compressions;
    const { compression } = this;
    if (!compression) {
      this.shown = list;
      return;
    }
    const { replacement, keptFrom, cut } = compression;
    const kept = list.slice(keptFrom);
    for (const { index, message } of cut) if (index < list.length) kept[index - keptFrom] = message;
    this.shown = [...replacement, ...kept];
  }

  /** The message with ids that no other call has: some providers count again in each answer, or not at all. */
  withOwnIds(message: Message, newId: () => string): Message {
    const inAnswer = new Set<string>();
    const parts = message.parts.map(part => {
      if (part.kind !== 'call') return part;
      const isTaken = this.callIds.has(part.id) || inAnswer.has(part.id);
      inAnswer.add(part.id);
      return isTaken ? { ...part, id: newId() } : part;
    });
    return { role: message.role, parts };
  }

  /**
   * @param messages the history's own, or what is sent in their place
   * @param model who is asked: it gets no signatures of others, and nothing that it refused
   */
  forRequest(messages: readonly Message[] = this.shown, model?: string): readonly Message[] {
    const readable = model === undefined ? messages : this.readableBy(model, messages);
    return answered(alternate(readable.filter(isUsable)));
  }

  /** Why the service of the model takes no request that declares the tool; `undefined`: it does. */
  refusalOf(model: string, name: string): string | undefined {
    return this.refused.reasonOfTool(model, name);
  }

  private readableBy(model: string, messages: readonly Message[]): readonly Message[] {
    return this.refused.readableBy(model, this.signatures.readableBy(model, messages));
  }
}

/** Calls of the newest message that have no result yet; non-empty only after a crash or a stop. */
export function unansweredCalls(messages: readonly Message[]): readonly CallPart[] {
  const last = messages.at(-1);
  return last?.role === 'model' ? callsOf(last) : [];
}

export function callsOf(message: Message): readonly CallPart[] {
  return message.parts.filter(part => part.kind === 'call');
}

export function textOf(message: Message): string {
  return message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
}

/** A model's message that says and asks nothing would be refused. */
function isUsable(message: Message): boolean {
  return message.parts.some(
    part =>
      (part.kind !== 'text' && part.kind !== 'thought') || part.text !== '' || part.signature !== undefined,
  );
}

function alternate(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (!last || last.role !== message.role) {
      result.push(message);
    } else if (message.role === 'user' && !message.meanwhile && hasResults(last) !== hasResults(message)) {
      result.push(interrupted, message);
    } else {
      result[result.length - 1] = { role: last.role, parts: [...last.parts, ...message.parts] };
    }
  }
  return result;
}

function hasResults(message: Message): boolean {
  return message.parts.some(part => part.kind === 'result');
}
