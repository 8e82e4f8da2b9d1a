/*
 * Simplifies a server's schema so that every provider accepts it: resolves references and merges `allOf`. It only tells
 * the model what to write. Arguments are validated against the original schema.
 */

import { isRecord } from '../../base/record.ts';

type Schema = Readonly<Record<string, unknown>>;

/** References may be cyclic and grow with each expansion. */
const maxLevels = 8;
const maxNodes = 3_000;

export function simplifySchema(schema: Schema): Schema {
  const walk = { root: schema, nodes: 0 };
  const { type: _, ...rest } = writeOut(schema, walk, 0);
  return onlyKnownRequired({ type: 'object', properties: {}, ...rest });
}

/** Providers also reject required names without a property. */
function onlyKnownRequired(value: Schema): Schema {
  const result: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    result[key] = Array.isArray(each)
      ? each.map(item => (isRecord(item) ? onlyKnownRequired(item) : item))
      : isRecord(each)
        ? onlyKnownRequired(each)
        : each;
  }
  const { required, properties } = result;
  if (Array.isArray(required)) {
    result.required = required.filter(
      name => typeof name === 'string' && isRecord(properties) && name in properties,
    );
  }
  return result;
}

/** Keywords of draft 2020-12 that hold schemas: by name, one, or several. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const single: ReadonlySet<string> = new Set(
  (
    'items contains additionalProperties unevaluatedItems unevaluatedProperties ' +
    'propertyNames not if then else'
  ).split(' '),
);
const listed: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'prefixItems']);

interface Walk {
  readonly root: Schema;
  nodes: number;
}

function writeOut(schema: Schema, walk: Walk, level: number): Schema {
  walk.nodes++;
  if (level > maxLevels || walk.nodes > maxNodes) return {};
  const { $ref, $defs: _, definitions: __, allOf, ...own } = schema;
  const found = typeof $ref === 'string' ? findReference($ref, walk.root) : undefined;
  const parts = [found, ...(Array.isArray(allOf) ? allOf : [])].filter(isRecord);
  const written = [...parts.map(part => writeOut(part, walk, level + 1)), writeOutMembers(own, walk, level)];
  return tidy(written.reduce(mergeSchemas));
}

function writeOutMembers(schema: Schema, walk: Walk, level: number): Schema {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (named.has(key) && isRecord(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          isRecord(each) ? writeOut(each, walk, level + 1) : {},
        ]),
      );
    } else if (key === 'items' && !isRecord(value)) result[key] = {};
    else if (single.has(key) && isRecord(value)) result[key] = writeOut(value, walk, level + 1);
    else if (listed.has(key) && Array.isArray(value)) {
      result[key] = value.filter(isRecord).map(each => writeOut(each, walk, level + 1));
    } else result[key] = value;
  }
  return result;
}

/** Providers reject arrays without `items`. */
function tidy(schema: Schema): Schema {
  return schema.type === 'array' && schema.items === undefined ? { ...schema, items: {} } : schema;
}

function mergeSchemas(one: Schema, other: Schema): Schema {
  const membersOf = ({ properties }: Schema) => (isRecord(properties) ? properties : {});
  const properties = { ...membersOf(one), ...membersOf(other) };
  const required = [one.required, other.required].flatMap(each => (Array.isArray(each) ? each : []));
  const merged: Record<string, unknown> = { ...one, ...other };
  if (Object.keys(properties).length > 0) merged.properties = properties;
  if (required.length > 0) merged.required = [...new Set(required)];
  return merged;
}

/** Resolves only local references: `#/$defs/Name`. */
function findReference(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    if (!isRecord(at)) return undefined;
    at = at[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return isRecord(at) ? at : undefined;
}
