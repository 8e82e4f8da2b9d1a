/*
 * Signatures are encrypted thoughts that only the model that wrote them accepts; providers may refuse those of others.
 * The same holds for thoughts that a chat server wants back unchanged. So each message remembers its model, and other
 * models get it without them.
 */

import type { Message, Part } from '../../../protocol/events.ts';

export class Signatures {
  private readonly makers = new WeakMap<Message, string>();
  /** Caches copies, since providers cache their conversions by message. */
  private readonly bare = new WeakMap<Message, Message>();

  /** @param maker model that was asked for it */
  addAnswer(message: Message, maker: string): void {
    this.makers.set(message, maker);
  }

  readableBy(model: string, messages: readonly Message[]): readonly Message[] {
    return messages.map(message => {
      const maker = this.makers.get(message);
      return maker === undefined || maker === model ? message : this.withoutSignatures(message);
    });
  }

  private withoutSignatures(message: Message): Message {
    const known = this.bare.get(message);
    if (known) return known;
    const made = message.parts.some(isSigned) ? { ...message, parts: message.parts.map(unsign) } : message;
    this.bare.set(message, made);
    return made;
  }
}

/** True if the part contains data that its provider wants back. */
export function isSigned(part: Part): boolean {
  return (
    ('signature' in part && part.signature !== undefined) || ('origin' in part && part.origin !== undefined)
  );
}

function unsign(part: Part): Part {
  switch (part.kind) {
    case 'text': {
      const { signature: _sealed, ...rest } = part;
      return rest;
    }
    case 'thought':
    case 'call': {
      const { signature: _sealed, origin: _origin, ...rest } = part;
      return rest;
    }
    case 'result':
    case 'blob':
      return part;
  }
}
