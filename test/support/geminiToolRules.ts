/* The service's rules for what a request says about tools. */

import type { WireBody, WireTool } from '../../src/extension/rehearsal/wire.ts';

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** What a schema may hold; the service documents these, and ignores the last line. */
const keywords = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'format',
  'default',
  'nullable',
  'example',
  'examples',
  'properties',
  'required',
  'additionalProperties',
  'propertyOrdering',
  'minProperties',
  'maxProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'oneOf',
  '$ref',
  '$defs',
  '$id',
  '$anchor',
  '$schema',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'propertyNames',
]);

/** Only tools that are declared may be demanded, and a list of names only where one must be called. */
export function findChoiceFault({ tools = [], toolConfig }: WireBody): string | undefined {
  const { mode, allowedFunctionNames: names = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode === undefined) return undefined;
  if (!['AUTO', 'ANY', 'NONE'].includes(mode)) return `Invalid value at tool_config mode: "${mode}"`;
  const declared = tools.flatMap(tool => tool.functionDeclarations ?? []).map(({ name }) => name);
  if (names.length > 0 && mode !== 'ANY')
    return 'Allowed function names are only supported with the mode ANY.';
  if (declared.length === 0) return 'Function calling config is set without function_declarations.';
  const stranger = names.find(name => !declared.includes(name));
  return stranger && `allowed_function_names: ${stranger} is not declared.`;
}

export function findToolFault(tools: readonly WireTool[] | undefined): string | undefined {
  if (tools === undefined) return undefined;
  const declarations = tools.flatMap(tool => tool.functionDeclarations ?? []);
  if (declarations.length > 0 && tools.some(tool => tool.googleSearch || tool.urlContext)) {
    return 'Tools of the service cannot be combined with function declarations.';
  }
  const names = declarations.map(({ name }) => name);
  return firstFault(declarations, ({ name, description, parametersJsonSchema: schema, ...rest }, at) => {
    const place = `tools.functionDeclarations[${at}]`;
    if (typeof name !== 'string' || !/^[A-Za-z_][\w.:-]{0,63}$/.test(name)) {
      return `${place}.name: Invalid function name "${name}".`;
    }
    if (names.indexOf(name) !== at) return `${place}.name: Duplicate function declaration found: ${name}.`;
    if (!description) return `${place}.description of ${name} must not be empty.`;
    const other = Object.keys(rest)[0];
    if (other) return `${place}: Unknown name "${other}": Cannot find field.`;
    if (schema === undefined) return undefined;
    if (!isObject(schema) || schema.type !== 'object') {
      return `${place}.parametersJsonSchema of ${name} must be a schema of type object.`;
    }
    return findSchemaFault(schema, `${place}.parametersJsonSchema`);
  });
}

function findSchemaFault(schema: unknown, place: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `${place} must be an object.`;
  const unknown = Object.keys(schema).find(key => !keywords.has(key));
  if (unknown) return `${place}: Unknown name "${unknown}": Cannot find field.`;
  const { type, required, properties, items, additionalProperties } = schema;
  if (type !== undefined && ![type].flat().every(name => types.includes(String(name)))) {
    return `${place}.type: Invalid value ${JSON.stringify(type)}.`;
  }
  const missing = Array.isArray(required)
    ? required.find(name => !isObject(properties) || !(String(name) in properties))
    : undefined;
  if (missing !== undefined) return `${place}.required: property ${missing} is not defined.`;
  if (type === 'array' && items === undefined && schema.prefixItems === undefined) {
    return `${place}.items: missing field.`;
  }
  return (
    findInside(properties, `${place}.properties`) ??
    findInside(schema.$defs, `${place}.$defs`) ??
    (items === undefined ? undefined : findSchemaFault(items, `${place}.items`)) ??
    (additionalProperties === undefined
      ? undefined
      : findSchemaFault(additionalProperties, `${place}.additionalProperties`)) ??
    findInside(schema.anyOf, `${place}.anyOf`) ??
    findInside(schema.oneOf, `${place}.oneOf`)
  );
}

/** Of an object's or a list's schemas. */
function findInside(schemas: unknown, place: string): string | undefined {
  if (schemas === undefined) return undefined;
  if (typeof schemas !== 'object' || schemas === null) return `${place} must hold schemas.`;
  return firstFault(Object.entries(schemas), ([key, schema]) => findSchemaFault(schema, `${place}.${key}`));
}

/** The first item that has one. */
export function firstFault<T>(
  list: readonly T[],
  find: (item: T, at: number) => string | undefined,
): string | undefined {
  for (const [at, item] of list.entries()) {
    const fault = find(item, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
