/* Converts tools to a form that every server accepts. */

import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { isRecord } from '../../base/record.ts';
import type { ToolDeclaration } from '../../core/model.ts';

/** Omits `strict`: it demands that every property be required, and half of the servers do not know it. */
export function toChatTool(tool: ToolDeclaration): ChatCompletionFunctionTool {
  return { type: 'function', function: toFunction(tool) };
}

export function toFunction({ name, description, parameters }: ToolDeclaration) {
  return { name, description, parameters: { properties: {}, ...toSchema(parameters), type: 'object' } };
}

/**
 * Keywords that the grammars of local servers and the services have in common. Some reject the rest (`$schema`,
 * unanchored patterns, `propertyNames` and the like). Arguments are validated on arrival.
 */
const keywords = new Set(
  'type description enum items minItems maxItems minLength maxLength minimum maximum anyOf oneOf allOf properties required additionalProperties $ref $defs definitions'.split(
    ' ',
  ),
);

/** Keywords whose value maps names to schemas. */
const named = new Set(['properties', '$defs', 'definitions']);

function toSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') result.enum = [value];
    else if (!keywords.has(keyword)) continue;
    else if (named.has(keyword) && isRecord(value)) result[keyword] = eachSchema(value);
    else result[keyword] = keyword === 'enum' || keyword === 'required' ? value : toValue(value);
  }
  return result;
}

function eachSchema(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toValue(schema)]));
}

function toValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toValue);
  return isRecord(value) ? toSchema(value) : value;
}
