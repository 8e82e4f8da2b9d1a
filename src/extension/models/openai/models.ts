/* Facts about a server's models. */

import { fieldsOf } from '../../base/record.ts';
import type { ModelInfo } from '../../core/model.ts';
import { type Effort, effortNames } from '../../platform/settings.ts';
import { findContextLimit } from '../wire/contextLimits.ts';
import { offeredEfforts } from '../wire/effort.ts';

/**
 * The steps of thinking of models that are known to have any: other servers refuse the word. By the pages of OpenAI's
 * models as of 2026-11-18.
 */
export function findChatEfforts(model: string): readonly Effort[] {
  if (maxThinking(model) !== undefined) return effortNames;
  return /(^|\/)(o[134](?!-mini|-preview)|o[34]-mini|gpt-5(?!.*-chat)|gpt-oss)/.test(model)
    ? ['low', 'medium', 'high']
    : [];
}

/** The word for a step of thinking: what is most has two, by the age of the model. */
export function chatEffortWord(
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

/** Its parameters differ from those of other models. Nothing that can be asked for tells. */
export function thinksByDefault(model: string): boolean {
  return /(^|\/)(o\d|gpt-[5-9](?!.*-chat)|codex-)/.test(model);
}

/**
 * Its servers and its chat template take no message of the user right after the result of a call ("Unexpected role
 * 'user' after role 'tool'", reported of several clients in 2025 and 2026).
 */
export function needsAnswerAfterResults(model: string): boolean {
  return /(mi[sx]|mini|magi|dev|codes|pix)tral/i.test(model);
}

/** Others refuse the word; of those for code each takes only its own. */
export function hasVerbosity(model: string): boolean {
  return /(^|\/)gpt-[5-9](?!.*-(chat|codex))/.test(model);
}

/** The list as servers send it: `data`, of some `models`. Each has its own word for what fits. */
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
 * The limit that is in force comes before the possible one: a server may be started with less than the model was made
 * for.
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

/** Services list models for pictures, speech and search beside those that can work as an agent. */
function isForOtherThings(id: string): boolean {
  return /embed|whisper|(^|[-/])tts(-|$)|dall-e|moderation|rerank|transcribe|realtime|gpt-image|sora-/i.test(
    id,
  );
}
