/* Abilities of Claude's models by their names, for clouds of others, where nobody can be asked. */

import { effortNames } from '../../platform/settings.ts';
import type { ModelAbilities } from './modelList.ts';

/**
 * By Anthropic's pages about thinking and effort as of 2026-11-10. Models up to 4.5 think by budget, those after them
 * decide how much, and some of these cannot be kept from it.
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
