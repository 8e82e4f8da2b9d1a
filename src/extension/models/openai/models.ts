/* Facts about a chat server's models. */

import { fieldsOf } from '../../base/record.ts';
import type { ModelInfo } from '../../core/model.ts';
import { type Effort, effortNames } from '../../platform/settings.ts';
import { findContextLimit } from '../wire/contextLimits.ts';
import { offeredEfforts } from '../wire/effort.ts';

/**
 * Effort levels of models known to have them; other servers reject the parameter. Source: OpenAI's model pages,
 * 2026-11-18.
 */
export function findChatEfforts(model: string): readonly Effort[] {
  if (maxThinking(model) !== undefined) return effortNames;
  return /(^|\/)(o[134](?!-mini|-preview)|o[34]-mini|gpt-5(?!.*-chat)|gpt-oss)/.test(model)
    ? ['low', 'medium', 'high']
    : [];
}

/** The parameter value for an effort level. The highest level has two names, depending on the model's age. */
export function chatEffortValue(
  model: string,
  step: Effort | undefined,
): Exclude<Effort, 'max'> | MostThinking | undefined {
  return step === 'max' ? maxThinking(model) : step;
}

type MostThinking = 'max' | 'xhigh';

function maxThinking(model: string): MostThinking | undefined {
  if (/(^|\/)gpt-(5\.6|[6-9])(?!.*-chat)/.test(model)) return 'max';
  return /(^|\/)gpt-5\.([2-5](?!.*-chat)|1-codex-max)/.test(model) ? 'xhigh' : undefined;
}

/** Returns whether a model thinks by default: it takes other parameters then. By name, since no API reports it. */
export function thinksByDefault(model: string): boolean {
  return /(^|\/)(o\d|gpt-[5-9](?!.*-chat)|codex-)/.test(model);
}

/**
 * Mistral's servers and chat template reject a user message right after a call's result ("Unexpected role 'user' after
 * role 'tool'", reported of several clients in 2025 and 2026).
 */
export function needsAnswerAfterResults(model: string): boolean {
  return /(mi[sx]|mini|magi|dev|codes|pix)tral/i.test(model);
}

/** Returns whether a model takes the parameter. Others reject it; coding models accept only one value each. */
export function hasVerbosity(model: string): boolean {
  return /(^|\/)gpt-[5-9](?!.*-(chat|codex))/.test(model);
}

/** Parses a server's model list, under `data` or `models`. Each server names the context size differently. */
export function parseModelList(list: unknown, otherwise: number): readonly ModelInfo[] {
  const { data, models } = fieldsOf(list);
  const entries: readonly unknown[] = Array.isArray(data) ? data : Array.isArray(models) ? models : [];
  return entries.map(fieldsOf).flatMap(entry => {
    const { id } = entry;
    if (typeof id !== 'string' || id === '' || isForOtherThings(id)) return [];
    const label = typeof entry.name === 'string' && entry.name !== '' ? entry.name : id;
    const contextLimit = limitOf(entry) ?? findContextLimit(id) ?? otherwise;
    return [{ id, label, contextLimit, efforts: offeredEfforts(findChatEfforts(id)) }];
  });
}

/**
 * The limit in force comes before the possible one, since a server may be started with less than the model supports.
 */
const limitWords = [
  'n_ctx',
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_context_length',
];

function limitOf(entry: Readonly<Record<string, unknown>>): number | undefined {
  const places = [entry, fieldsOf(entry.meta), fieldsOf(entry.top_provider)];
  const values = limitWords.flatMap(word => places.map(place => place[word]));
  return values.find((value): value is number => typeof value === 'number' && value > 0);
}

/** Services also list models for images, speech and search. */
function isForOtherThings(id: string): boolean {
  return /embed|whisper|(^|[-/])tts(-|$)|dall-e|moderation|rerank|transcribe|realtime|gpt-image|sora-/i.test(
    id,
  );
}
