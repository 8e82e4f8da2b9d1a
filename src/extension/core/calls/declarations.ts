import { z } from 'zod';
import type { ToolDeclaration } from '../model.ts';
import type { AnyTool } from '../tool.ts';

/** A tool as the model is told of it: JSON Schema without what says nothing, since every request carries it. */
export function declareTool(tool: AnyTool): ToolDeclaration {
  const parameters = lean(z.toJSONSchema(tool.input, { io: 'input' })) as Record<string, unknown>;
  return { name: tool.name, description: tool.description, parameters };
}

function lean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lean);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, lean(value)]));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === '$schema' || key === 'additionalProperties') return true;
  const isBound = key === 'minimum' || key === 'maximum';
  return isBound && (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER);
}
