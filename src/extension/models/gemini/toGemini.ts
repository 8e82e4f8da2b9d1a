/* From Folio's request to the parameters of the client. */

import {
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  type Tool,
  type ToolConfig,
} from '@google/genai/web';
import type { ModelRequest } from '../../core/model.ts';
import { contentsPlaceholder } from './historyJson.ts';
import { thinks } from './models.ts';

/** All but the history, which is put into the finished request (see historyJson.ts). */
export function toGemini(request: ModelRequest, signal: AbortSignal): GenerateContentParameters {
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
      thinkingConfig: thinks(model) ? { includeThoughts: true } : undefined,
      abortSignal: signal,
      // A cut answer is asked for again as a whole by the core, which then also drops what was shown of it.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
    },
  };
}

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
