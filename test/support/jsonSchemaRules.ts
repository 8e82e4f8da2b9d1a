import { isRecord } from '../../src/extension/base/record.ts';

/**
 * What services refuse of a tool's schema. OpenAI ("Function calling": a JSON Schema of type object; the API answers
 * "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "'any' is not valid
 * under any of the given schemas", "[] is too short"); Anthropic ("JSON schema is invalid. It must match JSON Schema draft
 * 2020-12" and "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"). As seen in public reports, 2026-11-27.
 */
export function findDeclaredSchemaFault(schema: unknown): string | undefined {
  if (!isRecord(schema) || schema.type !== 'object') return 'schema must be of type "object"';
  const top = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find(keyword => keyword in schema);
  if (top !== undefined) return `schema must not have '${top}' at the top level`;
  return findFault(schema, 'schema');
}

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function findFault(schema: unknown, place: string): string | undefined {
  if (!isRecord(schema)) return `${place} is no schema`;
  const { type, properties, required, items } = schema;
  if (type !== undefined && ![type].flat().every(each => types.has(String(each))))
    return `${place}.type: ${JSON.stringify(type)} is not valid under any of the given schemas`;
  if (Array.isArray(type) && type.length === 0) return `${place}.type: [] is too short`;
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every(each => typeof each === 'string'))
  )
    return `${place}.required: ${JSON.stringify(required)} is not of type 'array'`;
  if (properties !== undefined && !isRecord(properties)) return `${place}.properties is not of type 'object'`;
  const key = Object.keys(properties ?? {}).find(name => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  if (key !== undefined) return `${place}.properties: Property keys should match pattern (${key})`;
  if (type === 'array' && items === undefined) return `${place}: array schema missing items`;
  const lists = ['anyOf', 'oneOf', 'allOf'].filter(keyword => keyword in schema);
  for (const keyword of [...lists, ...('enum' in schema ? ['enum'] : [])]) {
    const list = schema[keyword];
    if (!Array.isArray(list) || list.length === 0) return `${place}.${keyword}: [] is too short`;
  }
  const inside = [
    ...Object.entries(properties ?? {}),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...lists.flatMap(keyword =>
      (schema[keyword] as readonly unknown[]).map(each => [keyword, each] as const),
    ),
  ];
  for (const [name, each] of inside) {
    const fault = findFault(each, `${place}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
