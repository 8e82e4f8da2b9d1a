/* Facts about Gemini's models that need no question to the service. */

import type { ModelInfo } from '../../core/model.ts';
import { type Effort, effortNames } from '../../platform/settings.ts';
import { findContextLimit } from '../wire/contextLimits.ts';

/**
 * The models that `auto` chooses from unless the settings name others: both are out of preview, and priced far apart.
 */
export const geminiOwnModels = { strong: 'gemini-2.5-pro', fast: 'gemini-2.5-flash' } as const;

/** Offered when the service's own list cannot be had, best first. */
export const knownModels: readonly ModelInfo[] = [
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

/** Tokens that fit into one request, when the service did not say. */
export function findGeminiContextLimit(model: string): number {
  return findContextLimit(model) ?? 1_048_576;
}

/**
 * Says whether to ask for thoughts. Asking a model that does not think is an error of its own, and 2.5 Flash-Lite
 * does not think unless it is given a budget.
 */
export function thinks(model: string): boolean {
  if (/image|tts|audio|live|embedding|2\.5-flash-lite/.test(model)) return false;
  return /^gemini-(2\.5|[3-9]|(pro|flash)-latest)/.test(model);
}

/** The steps of thinking that a model has, by Google's page about thinking. */
export function findGeminiEfforts(model: string): readonly Effort[] {
  if (/image|tts|audio|live|embedding/.test(model)) return [];
  if (/^gemini-3-pro/.test(model)) return ['low', 'high'];
  if (/^gemini-(3|2\.5-flash)/.test(model)) return ['low', 'medium', 'high'];
  return /^gemini-2\.5-pro/.test(model) ? effortNames : [];
}

/**
 * From generation 3 on a call without its thought signature is refused, and results may hold binary parts.
 */
export function isThirdGeneration(model: string): boolean {
  return /^gemini-([3-9]|(pro|flash)-latest)/.test(model);
}

/** The service lists models for pictures, speech and embeddings beside those that can work as an agent. */
export function isForAgents(id: string, actions: readonly string[] | undefined): boolean {
  if (actions && !actions.includes('generateContent')) return false;
  return !/embedding|image|tts|audio|live|veo|imagen|lyria|aqa|robotics|computer-use|deep-research/.test(id);
}
