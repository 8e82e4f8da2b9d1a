/*
 * Signatures are sealed thoughts: only the model that wrote them can open them, and a provider may refuse those of
 * another. The same holds for thoughts that a chat server wants back as they came. So each message remembers who made
 * it, and goes to everyone else without them; when its maker is asked again, they are back.
 */

import type { Message, Part } from '../../../protocol/events.ts';

export class Signatures {
  private readonly makers = new WeakMap<Message, string>();
  /** The same copy each time, since providers keep what they make of a message. */
  private readonly bare = new WeakMap<Message, Message>();

  /** @param maker the model that was asked for it */
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

/** A provider wants it back beside what it says. */
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
