/* Ranks OpenAI's models, whose list has no order. The first one is the default. */

import { isRecord } from '../../base/record.ts';
import type { ModelInfo } from '../../core/model.ts';
import { parseModelList, thinksByDefault } from '../openai/models.ts';

/**
 * Best first.
 * @param otherwise context size in tokens for models with an unknown limit
 */
export function parseResponsesModels(list: unknown, otherwise: number): readonly ModelInfo[] {
  const data = isRecord(list) && Array.isArray(list.data) ? list.data.filter(isRecord) : [];
  const fit = data.filter(({ id }) => !isForOtherThings(String(id)));
  const sorted = fit.toSorted(
    (one, other) => rankOf(one.id) - rankOf(other.id) || madeAt(other) - madeAt(one),
  );
  return parseModelList({ data: sorted }, otherwise);
}

/** Completion, audio, image and search-only models. */
function isForOtherThings(id: string): boolean {
  return /^(davinci|babbage)|turbo-instruct|audio|image|search|deep-research|computer-use/i.test(id);
}

/** Large thinking models first, then their small or very expensive variants, then the rest. */
function rankOf(id: unknown): number {
  if (typeof id !== 'string' || !thinksByDefault(id)) return 2;
  return /-(pro|mini|nano)(-|$)|codex/.test(id) ? 1 : 0;
}

function madeAt({ created }: Readonly<Record<string, unknown>>): number {
  return typeof created === 'number' ? created : 0;
}
