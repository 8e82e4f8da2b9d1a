/* Parses Anthropic's list of models: ids, thinking modes and context sizes. */

import { isRecord } from '../../base/record.ts';
import type { ModelInfo } from '../../core/model.ts';
import { type Effort, effortNames } from '../../platform/settings.ts';
import { offeredEfforts } from '../wire/effort.ts';
import { findAnthropicContextLimit } from './models.ts';

/** The parameters that a model accepts. A request with any other is refused. */
export interface ModelAbilities {
  /** Maximum tokens of one answer. */
  readonly maxOutput: number;
  readonly thinking: {
    /** The model decides how much it thinks. */
    readonly adaptive: boolean;
    readonly byBudget: boolean;
    /** A request may turn thinking off. */
    readonly canBeOff: boolean;
  };
  /** Effort levels that a request may name. */
  readonly efforts: readonly Effort[];
}

/** Fits a long file and leaves room for the conversation. */
const maxAnswerLength = 32_000;

/** Abilities that every model suited to an agent has. Used where a server has no list. */
export const plainAbilities: ModelAbilities = {
  maxOutput: maxAnswerLength,
  thinking: { adaptive: false, byBudget: false, canBeOff: false },
  efforts: [],
};

export function parseModels(list: unknown): readonly ModelInfo[] {
  const entries = isRecord(list) && Array.isArray(list.data) ? list.data.filter(isRecord) : [];
  return entries.flatMap(entry => {
    const { id, display_name, max_input_tokens } = entry;
    if (typeof id !== 'string' || id === '') return [];
    const label = typeof display_name === 'string' && display_name !== '' ? display_name : id;
    const contextLimit = countOf(max_input_tokens) ?? findAnthropicContextLimit(id);
    return [{ id, label, contextLimit, efforts: effortsOf(parseAbilities(entry)) }];
  });
}

/** A model with a thinking budget and no effort levels gets three budgets as levels. */
export function effortsOf({ efforts, thinking }: ModelAbilities): readonly Effort[] | undefined {
  return offeredEfforts(efforts.length === 0 && thinking.byBudget ? ['low', 'medium', 'high'] : efforts);
}

/** @param entry one entry of the list of models */
export function parseAbilities(entry: unknown): ModelAbilities {
  if (!isRecord(entry)) return plainAbilities;
  const { capabilities, max_tokens } = entry;
  const thinking = isRecord(capabilities) && isRecord(capabilities.thinking) ? capabilities.thinking : {};
  const types = isRecord(thinking.types) ? thinking.types : {};
  const effort = isRecord(capabilities) && isRecord(capabilities.effort) ? capabilities.effort : {};
  return {
    maxOutput: Math.min(countOf(max_tokens) ?? maxAnswerLength, maxAnswerLength),
    thinking: {
      adaptive: isSupported(types.adaptive),
      byBudget: isSupported(types.enabled),
      canBeOff: isSupported(types.disabled),
    },
    efforts: isSupported(effort) ? effortNames.filter(name => isSupported(effort[name])) : [],
  };
}

function isSupported(value: unknown): boolean {
  return isRecord(value) && value.supported === true;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
