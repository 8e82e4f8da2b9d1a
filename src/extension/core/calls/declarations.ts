import * as z from 'zod';
import { isRecord } from '../../base/record.ts';
import type { ToolDeclaration } from '../model.ts';
import type { AnyTool } from '../tool.ts';
import { declaredInputs, type JsonSchema } from './declaredInputs.ts';
import { wireSchema } from './wireSchema.ts';

/** A tool as the model is told of it: JSON Schema without what says nothing, since every request carries it. */
export function declareTool(tool: AnyTool): ToolDeclaration {
  const { name, description, schema, unused } = tool;
  const parameters = schema ? leanSchema(wireSchema(schema)) : (declaredInputs[name] ?? describeInput(tool));
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
 * Keywords that the Gemini API takes (its reference of `parametersJsonSchema`), but for those that say nothing to
 * a model. The rest, such as `minLength`, is checked when the call arrives and explained then.
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

/** The names below `properties` are a tool's own and may look like keywords. */
function leanProperties(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, leanValue(value)]));
}

function leanValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leanValue);
  return isRecord(value) ? leanSchema(value) : value;
}

/** Zod bounds every integer by what a number can hold. */
function isSafeIntegerBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}
