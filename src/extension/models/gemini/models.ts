/* Facts about Gemini's models that need no request. */

import type { ModelInfo } from '../../core/model.ts';
import { type Effort, effortNames } from '../../platform/settings.ts';
import { findContextLimit } from '../wire/contextLimits.ts';

/** The models that `auto` chooses from by default: both are out of preview, with very different prices. */
export const defaultGeminiPair = { strong: 'gemini-2.5-pro', fast: 'gemini-2.5-flash' } as const;

/** Offered when the service's list is unavailable, best first. */
export const knownGeminiModels: readonly ModelInfo[] = [
  known('gemini-3.1-pro-preview', 'Gemini 3.1 Pro (preview)'),
  known('gemini-3-pro-preview', 'Gemini 3 Pro (preview)'),
  known('gemini-3.8-flash', 'Gemini 3.8 Flash'),
  known('gemini-3.5-flash', 'Gemini 3.5 Flash'),
  known('gemini-3-flash-preview', 'Gemini 3 Flash (preview)'),
  known('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite'),
  known('gemini-2.5-pro', 'Gemini 2.5 Pro'),
  known('gemini-2.5-flash', 'Gemini 2.5 Flash'),
  known('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite'),
];

function known(id: string, label: string): ModelInfo {
  return { id, label, contextLimit: findGeminiContextLimit(id) };
}

/** Context size in tokens, for when the service did not report it. */
export function findGeminiContextLimit(model: string): number {
  return findContextLimit(model) ?? 1_048_576;
}

/**
 * Returns whether to request thoughts. A model that does not think rejects the request, and 2.5 Flash-Lite thinks only
 * with an explicit budget.
 */
export function shouldRequestThoughts(model: string): boolean {
  if (/image|tts|audio|live|embedding|2\.5-flash-lite/.test(model)) return false;
  return /^gemini-(2\.5|[3-9]|(pro|flash)-latest)/.test(model);
}

/** Effort levels of a model. Source: Google's page about thinking. */
export function findGeminiEfforts(model: string): readonly Effort[] {
  if (/image|tts|audio|live|embedding/.test(model)) return [];
  if (/^gemini-3-pro/.test(model)) return ['low', 'high'];
  if (/^gemini-(3|2\.5-flash)/.test(model)) return ['low', 'medium', 'high'];
  return /^gemini-2\.5-pro/.test(model) ? effortNames : [];
}

/** From generation 3 on, calls need their thought signature, and results may hold binary parts. */
export function isGeneration3OrLater(model: string): boolean {
  return /^gemini-([3-9]|(pro|flash)-latest)/.test(model);
}

/** The service also lists models for images, speech and embeddings. */
export function isAgentModel(id: string, actions: readonly string[] | undefined): boolean {
  if (actions && !actions.includes('generateContent')) return false;
  return !/embedding|image|tts|audio|live|veo|imagen|lyria|aqa|robotics|computer-use|deep-research/.test(id);
}
