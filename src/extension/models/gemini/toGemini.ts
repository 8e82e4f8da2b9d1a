/* From Folio's request to the body of the service's. */

import type { ModelRequest } from '../../core/model.ts';
import type { Effort } from '../../platform/settings.ts';
import { nearestEffort } from '../wire/effort.ts';
import { findGeminiEfforts, isThirdGeneration, thinks } from './models.ts';

/** All but the history, which is kept as JSON (see historyJson.ts). */
export function toGemini(request: ModelRequest): object {
  const { system, temperature, mustCall } = request;
  const tools = toTools(request);
  return {
    systemInstruction: system ? { parts: [{ text: system }] } : undefined,
    tools: tools.length > 0 ? tools : undefined,
    toolConfig: mustCall ? toForcedCall(request) : undefined,
    generationConfig: { temperature, thinkingConfig: toThinking(request) },
  };
}

/** Generation 3 takes levels and refuses budgets, 2.5 the other way about. */
function toThinking({ model, effort: wanted }: ModelRequest): object | undefined {
  const effort = nearestEffort(wanted, findGeminiEfforts(model));
  if (effort === undefined) return thinks(model) ? { includeThoughts: true } : undefined;
  return isThirdGeneration(model)
    ? { includeThoughts: true, thinkingLevel: levels[effort] }
    : { includeThoughts: true, thinkingBudget: budgets[effort] };
}

const levels: Readonly<Record<Effort, string>> = {
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  max: 'HIGH',
};

/** In tokens; the first three as Google itself translates the words. */
const budgets: Readonly<Record<Effort, number>> = { low: 1024, medium: 8192, high: 24_576, max: 32_768 };

function toForcedCall({ tools }: ModelRequest): object {
  const allowedFunctionNames = tools.map(({ name }) => name);
  return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames } };
}

function toTools({ builtIn, tools }: ModelRequest): readonly object[] {
  if (builtIn === 'webSearch') return [{ googleSearch: {} }];
  if (builtIn === 'urlContext') return [{ urlContext: {} }];
  if (tools.length === 0) return [];
  return [
    {
      functionDeclarations: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parametersJsonSchema: parameters,
      })),
    },
  ];
}
