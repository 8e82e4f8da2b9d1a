import * as z from 'zod';
import { isRecord } from '../../base/record.ts';
import type { ToolDeclaration } from '../model.ts';
import type { AnyTool } from '../tool.ts';
import { declaredInputs, type JsonSchema } from './declaredInputs.ts';
import { toProviderSchema } from './toProviderSchema.ts';

/**
 * Declares a tool for the model. The JSON Schema omits whatever carries no information, since every request includes
 * it.
 */
export function declareTool(tool: AnyTool): ToolDeclaration {
  const { name, description, schema, unused } = tool;
  const parameters = schema
    ? leanSchema(toProviderSchema(schema))
    : (declaredInputs[name] ?? describeInput(tool));
  return { name, description, parameters: unused ? without(parameters, unused()) : parameters };
}

export function describeInput(tool: AnyTool): JsonSchema {
  return leanSchema(z.toJSONSchema(tool.input(), { io: 'input' }) as JsonSchema);
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Keywords of the Gemini API (see its reference of `parametersJsonSchema`) that help a model. Others, such as
 * `minLength`, are checked when a call arrives, and explained then.
 */
const keywords = new Set(
  'type format description enum items minItems maxItems minimum maximum anyOf oneOf properties required'.split(
    ' ',
  ),
);

function leanSchema(schema: JsonSchema): JsonSchema {
  const lean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') lean.enum = [value];
    else if (keyword === 'properties' && isRecord(value)) lean.properties = leanProperties(value);
    else if (keywords.has(keyword) && !isSafeIntegerBound(value)) lean[keyword] = leanValue(value);
  }
  return lean;
}

/** Names below `properties` are the tool's own and may equal keywords. */
function leanProperties(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, leanValue(value)]));
}

function leanValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leanValue);
  return isRecord(value) ? leanSchema(value) : value;
}

/** Zod limits every integer to the safe range. */
function isSafeIntegerBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}
