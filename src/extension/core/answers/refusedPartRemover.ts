import type { SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { keyOfTool, toolOfKey, withoutParts } from '../history/refusedParts.ts';
import type { ModelError, ModelRequest } from '../model.ts';

/** After this many refusals of a request, the cause must be something else. */
const maxRefusals = 8;

/**
 * Omits parts that the service refuses from one request. Parts that the service named are recorded immediately, guesses
 * only once the request succeeds without them.
 */
export class RefusedPartRemover {
  private readonly emit: (event: SessionEventBody) => void;
  private readonly guessed: SessionEventBody<'parts.refused'>[] = [];
  private refusals = 0;

  constructor(emit: (event: SessionEventBody) => void) {
    this.emit = emit;
  }

  /** Number of refused attempts. */
  get count(): number {
    return this.refusals;
  }

  /** Returns the request to send instead; `undefined`: no part can be omitted. */
  next(request: ModelRequest, error: ModelError): ModelRequest | undefined {
    const { refused } = error;
    const parts = refused?.tries[Math.min(this.refusals, refused.tries.length - 1)];
    if (!refused || !parts?.length || this.refusals >= maxRefusals) return undefined;
    this.refusals++;
    const { words: reason, isGuess } = refused;
    const event = { type: 'parts.refused', model: request.model, refusedKeys: parts, reason } as const;
    if (isGuess) this.guessed.push(event);
    else this.record(event);
    const tools = request.tools.filter(({ name }) => !parts.includes(keyOfTool(name)));
    return { ...request, tools, messages: withoutParts(request.messages, parts, reason) };
  }

  answered(): void {
    for (const event of this.guessed.splice(0)) this.record(event);
  }

  private record(event: SessionEventBody<'parts.refused'>): void {
    this.emit(event);
    const tools = event.refusedKeys.flatMap(key => toolOfKey(key) ?? []);
    const reason = oneLine(event.reason, 200);
    const text =
      tools.length > 0
        ? t(
            'The model service rejected the tool {0} ({1}). This session continues without it.',
            tools.join(', '),
            reason,
          )
        : t(
            'The model service rejected part of the conversation ({0}). Folio no longer sends that part to this model.',
            reason,
          );
    this.emit({ type: 'notice.shown', level: 'warning', text });
  }
}
