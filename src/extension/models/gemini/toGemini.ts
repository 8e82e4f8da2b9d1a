/* Converts Folio's request to the client's parameters. */

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
import { contentsPlaceholder } from './historyEncoder.ts';
import { findGeminiEfforts, isGeneration3OrLater, shouldRequestThoughts } from './models.ts';

/**
 * Omits the history, which is inserted into the finished request (see historyJson.ts). The exchange aborts the request.
 */
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
      // The core requests a truncated answer again as a whole, and drops the part already shown.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
    },
  };
}

/** Generation 3 accepts levels and rejects budgets; 2.5 accepts only budgets. */
function toThinking({ model, effort: wanted }: ModelRequest): ThinkingConfig | undefined {
  const effort = nearestEffort(wanted, findGeminiEfforts(model));
  if (effort === undefined) return shouldRequestThoughts(model) ? { includeThoughts: true } : undefined;
  return isGeneration3OrLater(model)
    ? { includeThoughts: true, thinkingLevel: levels[effort] }
    : { includeThoughts: true, thinkingBudget: budgets[effort] };
}

const levels: Readonly<Record<Effort, ThinkingLevel>> = {
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
  max: ThinkingLevel.HIGH,
};

/** Tokens. The first three equal Google's own mapping of the levels. */
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
