/* Abilities of Claude's models by name, for clouds that offer no API to query them. */

import { effortNames } from '../../platform/settings.ts';
import type { ModelAbilities } from './modelList.ts';

/**
 * Source: Anthropic's pages about thinking and effort, 2026-11-10. Models up to 4.5 take a thinking budget. Later ones
 * decide how much they think, and thinking cannot be turned off for some of them.
 */
export function abilitiesByName(model: string): ModelAbilities {
  const byBudget = /^claude-((opus|sonnet|haiku)-4(-[015])?|3-7-sonnet)(@|-\d{8}|$)/.test(model);
  const isOld = /^claude-(3|instant|2)/.test(model);
  const adaptive = !byBudget && !isOld;
  return {
    maxOutput: isOld ? 8192 : 32_000,
    thinking: { adaptive, byBudget, canBeOff: !/-(fable|mythos)-|-(opus|sonnet)-5-5/.test(model) },
    efforts: adaptive ? effortNames : [],
  };
}
