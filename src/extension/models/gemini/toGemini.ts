/* From Folio's request to the parameters of the client. */

import {
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  type ThinkingConfig,
  ThinkingLevel,
  type Tool,
  type ToolConfig,
} from '@google/genai/web';
import type { ModelRequest } from '../../core/model.ts';
import type { Effort } from '../../platform/settings.ts';
import { nearestEffort } from '../wire/effort.ts';
import { contentsPlaceholder } from './historyJson.ts';
import { findGeminiEfforts, isThirdGeneration, thinks } from './models.ts';

/** All but the history, which is put into the finished request (see historyJson.ts). The exchange breaks it off. */
export function toGemini(request: ModelRequest): GenerateContentParameters {
  const { model, system, temperature, mustCall } = request;
  const tools = toTools(request);
  return {
    model,
    contents: contentsPlaceholder,
    config: {
      systemInstruction: system ? { parts: [{ text: system }] } : undefined,
      tools: tools.length > 0 ? tools : undefined,
      toolConfig: mustCall ? toForcedCall(request) : undefined,
      temperature,
      thinkingConfig: toThinking(request),
      // A cut answer is asked for again as a whole by the core, which then also drops what was shown of it.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
    },
  };
}

/** Generation 3 takes levels and refuses budgets, 2.5 the other way about. */
function toThinking({ model, effort: wanted }: ModelRequest): ThinkingConfig | undefined {
  const effort = nearestEffort(wanted, findGeminiEfforts(model));
  if (effort === undefined) return thinks(model) ? { includeThoughts: true } : undefined;
  return isThirdGeneration(model)
    ? { includeThoughts: true, thinkingLevel: levels[effort] }
    : { includeThoughts: true, thinkingBudget: budgets[effort] };
}

const levels: Readonly<Record<Effort, ThinkingLevel>> = {
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
  max: ThinkingLevel.HIGH,
};

/** In tokens; the first three as Google itself translates the words. */
const budgets: Readonly<Record<Effort, number>> = { low: 1024, medium: 8192, high: 24_576, max: 32_768 };

function toForcedCall({ tools }: ModelRequest): ToolConfig {
  const allowedFunctionNames = tools.map(({ name }) => name);
  return { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames } };
}

function toTools({ builtIn, tools }: ModelRequest): Tool[] {
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
