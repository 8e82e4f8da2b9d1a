/* Facts about Anthropic's models that need no request. */

import type { ModelInfo } from '../../core/model.ts';
import { findContextLimit } from '../wire/contextLimits.ts';

/** Offered when the service's list is unavailable, best first. */
export const knownAnthropicModels: readonly ModelInfo[] = [
  known('claude-opus-5-5', 'Claude Opus 5.5'),
  known('claude-sonnet-5-5', 'Claude Sonnet 5.5'),
  known('claude-haiku-5-5', 'Claude Haiku 5.5'),
  known('claude-fable-5-2', 'Claude Fable 5.2'),
  known('claude-fable-5-1', 'Claude Fable 5.1'),
  known('claude-opus-4-6', 'Claude Opus 4.6'),
  known('claude-sonnet-4-6', 'Claude Sonnet 4.6'),
  known('claude-haiku-4-5', 'Claude Haiku 4.5'),
];

function known(id: string, label: string): ModelInfo {
  return { id, label, contextLimit: findAnthropicContextLimit(id) };
}

/** Resolves `opus`, `sonnet`, `haiku` and `fable` to the newest listed model, which comes first. */
export function resolveAnthropicName(name: string, listed: readonly string[]): string {
  if (!/^(opus|sonnet|haiku|fable)$/.test(name)) return name;
  const ids = listed.length > 0 ? listed : knownAnthropicModels.map(({ id }) => id);
  return ids.find(id => id.startsWith(`claude-${name}-`)) ?? name;
}

/** Context size in tokens, for when the service did not report it. */
export function findAnthropicContextLimit(model: string): number {
  return findContextLimit(model) ?? 200_000;
}
