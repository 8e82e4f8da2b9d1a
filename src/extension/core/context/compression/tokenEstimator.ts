/* Predicts a request's size from estimates and the provider's latest count. */

import type { Message, Usage } from '../../../../protocol/events.ts';
import type { ModelRequest } from '../../model.ts';
import { estimatePart, estimateText } from '../tokens.ts';

type Sized = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

/** Estimates tokens. Each message is measured once, so a step of a long session only needs a sum. */
export class TokenEstimator {
  private readonly known = new WeakMap<Message, number>();
  private readonly declarations = new WeakMap<object, number>();
  /** The latest system prompt, which rarely changes. */
  private system = { text: '', tokens: 0 };
  /** Counted tokens per estimated token of the latest request; undefined before the first. */
  private ratio: number | undefined;

  /** Estimated tokens. */
  ofMessages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.ofMessage(message), 0);
  }

  ofMessage(message: Message): number {
    const known = this.known.get(message);
    if (known !== undefined) return known;
    const tokens = message.parts.reduce((sum, part) => sum + estimatePart(part), 0);
    this.known.set(message, tokens);
    return tokens;
  }

  ofRequest(request: Sized): number {
    return this.ofOverhead(request) + this.ofMessages(request.messages);
  }

  /** Estimates the tokens of a request apart from its history. */
  ofOverhead({ system, tools }: Pick<Sized, 'system' | 'tools'>): number {
    let declared = this.declarations.get(tools);
    if (declared === undefined) {
      declared = estimateText(JSON.stringify(tools));
      this.declarations.set(tools, declared);
    }
    if (system !== this.system.text) this.system = { text: system, tokens: estimateText(system) };
    return this.system.tokens + declared;
  }

  learn(request: Sized, usage: Usage): void {
    const estimated = this.ofRequest(request);
    if (estimated > 0 && usage.prompt > 0) this.ratio = usage.prompt / estimated;
  }

  /** @param counted tokens of the latest request and its answer, 0 if unknown */
  scale(request: Sized, counted: number): number {
    if (this.ratio !== undefined || counted === 0) return this.ratio ?? 1;
    // After a resume, the count includes messages up to the latest answer.
    const answered = request.messages.findLastIndex(({ role }) => role === 'model') + 1;
    const estimated = this.ofRequest({ ...request, messages: request.messages.slice(0, answered) });
    return answered > 0 && estimated > 0 ? counted / estimated : 1;
  }

  expect(request: Sized, counted: number): number {
    return Math.round(this.ofRequest(request) * this.scale(request, counted));
  }
}
