/*
 * The messages between model and user. A provider accepts them only if roles alternate, the first message is the
 * user's, and the message after a call answers it:
 *
 *   user: prompt ─► model: text, call a, call b ─► user: result a, result b ─► model: …
 *
 * Text of the user during calls is added to the message of results. Messages are stored as added; `forRequest` makes
 * them valid. A compression removes nothing: it only defines what the model reads instead of the oldest messages, so
 * that rewind and undo need no second copy.
 */

import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { Message, Part, SessionEvent } from '../../../protocol/events.ts';
import { RefusedContent } from './refusedParts.ts';
import { repairHistory } from './repairHistory.ts';
import { Signatures } from './signatures.ts';

type CallPart = Extract<Part, { kind: 'call' }>;

/** Replaces a missing answer to results after which the user sent a new prompt. */
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
  /** In force, oldest first; the newest determines what is sent. */
  private compressions: readonly Compressed[] = [];
  /** The messages that a rewind removed, until it is undone. */
  private beforeRewind: { list: Message[]; compressions: readonly Compressed[] } | undefined;
  /** `list` with the newest compression applied. */
  private shown: Message[] = this.list;
  private readonly callIds = new Set<string>();
  private readonly signatures = new Signatures();
  private readonly refused = new RefusedContent();

  /** The messages as the model reads them. */
  get messages(): readonly Message[] {
    return this.shown;
  }

  /** All messages, compressed or not. Indices in events and places refer to it. */
  get whole(): readonly Message[] {
    return this.list;
  }

  /** The newest compression in force. */
  get compression(): CompressionPlan | undefined {
    return this.compressions.at(-1)?.plan;
  }

  /**
   * Stores what is too large for the state, which is shared with the webview: all messages, including rewound ones.
   * @param answering model that gave the latest answer
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

  /** Replaces duplicate call ids, since some providers restart counting in each answer or send none. */
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
   * @param messages the history's own, or a replacement
   * @param model receiver, from which foreign signatures and refused parts are omitted
   */
  forRequest(messages: readonly Message[] = this.shown, model?: string): readonly Message[] {
    const readable = model === undefined ? messages : this.readableBy(model, messages);
    return repairHistory(alternate(readable.filter(isUsable)));
  }

  /** Returns why the model's service refuses the tool's declaration; `undefined`: it does not. */
  refusalOf(model: string, name: string): string | undefined {
    return this.refused.reasonOfTool(model, name);
  }

  private readableBy(model: string, messages: readonly Message[]): readonly Message[] {
    return this.refused.readableBy(model, this.signatures.readableBy(model, messages));
  }
}

/** Returns calls of the last message without results; non-empty only after a crash or a stop. */
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

/** Services refuse a model message without content. */
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
