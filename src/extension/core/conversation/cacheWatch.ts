/*
 * Detects when a provider lost its cache, and why. Providers cache the beginning of a request and reuse it for requests
 * with the same beginning. Their token counts show a loss, and a comparison of the two requests shows the cause.
 */

import type { CacheLoss, Message, Usage } from '../../../protocol/events.ts';
import type { ModelRequest } from '../model.ts';

interface Answered {
  readonly request: ModelRequest;
  /** The history of the request. A rewind or a compression creates a new list. */
  readonly history: readonly Message[];
  readonly usage: Usage;
}

/** Less than this share of the expected cached tokens is a loss. */
const keptShare = 0.95;

/** Share for losses without a cause in the request, since cached tokens vary by the provider's block size. */
const keptShareOfProvider = 0.8;

export class CacheWatch {
  private before: Answered | undefined;

  /** Call with each answer of the conversation, in order. */
  answered(request: ModelRequest, history: readonly Message[], usage: Usage): CacheLoss | undefined {
    const { before } = this;
    const now = { request, history, usage };
    this.before = now;
    // Many providers report no cache.
    if (!before || before.usage.cached === 0) return undefined;
    const by = findCause(before, now);
    // Cache lifetimes are unknown, so without a cause only a decrease counts.
    const expected =
      by === 'provider' ? before.usage.cached * keptShareOfProvider : before.usage.prompt * keptShare;
    const { cached, prompt } = usage;
    return cached < expected ? { by, tokens: Math.max(0, prompt - cached) } : undefined;
  }
}

function findCause(before: Answered, now: Answered): CacheLoss['by'] {
  const { request: old } = before;
  const { request } = now;
  if (request.model !== old.model) return 'model';
  if (isOther(request.tools, old.tools)) return 'tools';
  if (request.system !== old.system) return 'instructions';
  if (now.history !== before.history) return 'rewritten';
  const isMasked = old.messages.some((message, at) => isOther(message, request.messages[at]));
  return isMasked ? 'masked' : 'provider';
}

/** Compares identities first, since most are the same objects. */
function isOther(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}
