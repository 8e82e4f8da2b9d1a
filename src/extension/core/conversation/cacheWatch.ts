/*
 * Notices when a provider could no longer use its cache, and why. A provider keeps the beginning of a request; a later
 * one is served from there as far as it begins in the same way. The provider's own count says that the cache was lost,
 * and the two requests say by what.
 */

import type { CacheLoss, Message, Usage } from '../../../protocol/events.ts';
import type { ModelRequest } from '../model.ts';

interface Answered {
  readonly request: ModelRequest;
  /** The history that the request was made from: another list once it was written again. */
  readonly history: readonly Message[];
  readonly usage: Usage;
}

/** Less than this share of what a provider should have is a loss. */
const keptShare = 0.95;

/** Without a cause in the request a smaller share tells nothing: counts vary by the blocks of a provider. */
const keptShareOfProvider = 0.8;

export class CacheWatch {
  private before: Answered | undefined;

  /** Hears of each answer of the conversation, in order. */
  answered(request: ModelRequest, history: readonly Message[], usage: Usage): CacheLoss | undefined {
    const { before } = this;
    const now = { request, history, usage };
    this.before = now;
    // Many providers say nothing of a cache.
    if (!before || before.usage.cached === 0) return undefined;
    const by = findCause(before, now);
    // Nobody knows how long a provider keeps what: only less than it had is a loss then.
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

/** Most are the same objects: only the others cost a scan. */
function isOther(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}
