/* Facts about Claude's models at Amazon Bedrock. Ids of inference profiles take the place of names. */

import type { ModelInfo } from '../../core/model.ts';
import { findAnthropicContextLimit } from '../anthropic/models.ts';

/** By AWS's page of supported models; offered when the list cannot be had, best first. */
export const knownBedrockModels: readonly ModelInfo[] = [
  known('global.anthropic.claude-opus-4-6-v1', 'Claude Opus 4.6'),
  known('global.anthropic.claude-sonnet-4-6', 'Claude Sonnet 4.6'),
  known('global.anthropic.claude-haiku-4-5-20251001-v1:0', 'Claude Haiku 4.5'),
];

function known(id: string, label: string): ModelInfo {
  return { id, label, contextLimit: findBedrockContextLimit(id) };
}

/** The same as at Anthropic. */
export function findBedrockContextLimit(id: string): number {
  return findAnthropicContextLimit(claudeNameOf(id) ?? id);
}

/** `opus`, `sonnet` and `haiku` stand for the first of the kind that is listed. */
export function resolveBedrockName(name: string, listed: readonly string[]): string {
  if (!/^(opus|sonnet|haiku)$/.test(name)) return name;
  const ids = listed.length > 0 ? listed : knownBedrockModels.map(({ id }) => id);
  return ids.find(id => id.includes(`.claude-${name}-`)) ?? name;
}

/** By Anthropic's page of prices: from 4.5 on a model that is kept to regions costs a tenth more than one that is not. */
export function findBedrockCharge(
  id: string,
): { readonly model: string; readonly times: number } | undefined {
  const model = claudeNameOf(id);
  if (model === undefined) return undefined;
  const isOld = /^claude-(3|2|instant|(opus|sonnet)-4(-[01])?(-\d{8})?$)/.test(model);
  return { model, times: isOld || id.startsWith('global.') ? 1 : 1.1 };
}

/**
 * The name that Anthropic itself gives to a model of Bedrock, whose id may say where it runs and which version it is:
 * `claude-opus-4-6` for `eu.anthropic.claude-opus-4-6-v1`. `undefined`: the model is another maker's.
 */
export function claudeNameOf(id: string): string | undefined {
  return /(?:^|[./])anthropic\.(claude-.+?)(?:-v\d+(?::\d+)*)?$/.exec(id)?.[1];
}
