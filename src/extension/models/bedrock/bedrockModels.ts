/* Facts about Claude's models on Amazon Bedrock. Inference profile ids take the place of model names. */

import type { ModelInfo } from '../../core/model.ts';
import { findAnthropicContextLimit } from '../anthropic/models.ts';

/** Source: AWS's page of supported models. Offered when the list is unavailable, best first. */
export const knownBedrockModels: readonly ModelInfo[] = [
  known('global.anthropic.claude-opus-4-6-v1', 'Claude Opus 4.6'),
  known('global.anthropic.claude-sonnet-4-6', 'Claude Sonnet 4.6'),
  known('global.anthropic.claude-haiku-4-5-20251001-v1:0', 'Claude Haiku 4.5'),
];

function known(id: string, label: string): ModelInfo {
  return { id, label, contextLimit: findBedrockContextLimit(id) };
}

/** Context size in tokens: that of the same model at Anthropic. */
export function findBedrockContextLimit(id: string): number {
  return findAnthropicContextLimit(claudeNameOf(id) ?? id);
}

/** Resolves `opus`, `sonnet` and `haiku` to the first listed model of that family. */
export function resolveBedrockName(name: string, listed: readonly string[]): string {
  if (!/^(opus|sonnet|haiku)$/.test(name)) return name;
  const ids = listed.length > 0 ? listed : knownBedrockModels.map(({ id }) => id);
  return ids.find(id => id.includes(`.claude-${name}-`)) ?? name;
}

/** Source: Anthropic's price page. From 4.5 on, a regional model costs 10 % more than a global one. */
export function findBedrockCharge(
  id: string,
): { readonly model: string; readonly times: number } | undefined {
  const model = claudeNameOf(id);
  if (model === undefined) return undefined;
  const isOld = /^claude-(3|2|instant|(opus|sonnet)-4(-[01])?(-\d{8})?$)/.test(model);
  return { model, times: isOld || id.startsWith('global.') ? 1 : 1.1 };
}

/**
 * Returns Anthropic's name for a Bedrock model id, which may also hold region and version: `claude-opus-4-6` for
 * `eu.anthropic.claude-opus-4-6-v1`. Returns `undefined` for other vendors' models.
 */
export function claudeNameOf(id: string): string | undefined {
  return /(?:^|[./])anthropic\.(claude-.+?)(?:-v\d+(?::\d+)*)?$/.exec(id)?.[1];
}
