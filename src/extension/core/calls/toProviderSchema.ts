/*
 * Converts schemas of external tools to ones that every service accepts. A single invalid schema would make every
 * request fail: services refuse invalid types, empty lists, `required` in other forms, alternatives at the top level
 * (OpenAI, Anthropic), and property names outside of `^[a-zA-Z0-9_.-]{1,64}$` (Anthropic). The tool's owner still
 * checks the arguments.
 */

import { fieldsOf, isRecord, isSameJson } from '../../base/record.ts';
import { headOf } from '../../base/text.ts';
import type { JsonSchema } from './declaredInputs.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Services do not accept schemas that are nested more deeply. */
const maxLevels = 30;

/** Returns a valid schema of an object whose property names every service accepts. */
export function toProviderSchema(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf: _all, enum: _enum, not: _not, ...own } = schema;
  const branches = branchesOf(anyOf, oneOf);
  const merged = {
    ...own,
    properties: mergedProperties(own, branches),
    required: mergedRequired(own, branches),
  };
  return { ...validSchema(merged, 0), type: 'object' };
}

/** Restores the original names of arguments that were declared under other names. */
export function restoreArgumentNames(schema: JsonSchema, args: Properties): Properties {
  const branches = branchesOf(schema.anyOf, schema.oneOf);
  return originalMembers({ properties: mergedProperties(schema, branches) }, args);
}

function branchesOf(...lists: readonly unknown[]): readonly JsonSchema[] {
  return lists.flatMap(list => (Array.isArray(list) ? list.filter(isRecord) : []));
}

/** Merges alternatives into one object with all their properties. */
function mergedProperties(own: JsonSchema, branches: readonly JsonSchema[]): Properties {
  const merged: Record<string, unknown> = { ...fieldsOf(own.properties) };
  for (const branch of branches)
    for (const [name, schema] of Object.entries(fieldsOf(branch.properties))) {
      const known = merged[name];
      if (known === undefined) merged[name] = schema;
      else if (!isSameJson(known, schema)) merged[name] = { anyOf: [known, schema] };
    }
  return merged;
}

/** Requires what every alternative requires. */
function mergedRequired(own: JsonSchema, branches: readonly JsonSchema[]): readonly unknown[] {
  const [first = [], ...others] = branches.map(({ required }) => listOf(required));
  const common = first.filter(name => others.every(list => list.includes(name)));
  return [...new Set([...listOf(own.required), ...common])];
}

function validSchema(schema: unknown, level: number): JsonSchema {
  if (!isRecord(schema) || level > maxLevels) return {};
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const valid = validKeyword(keyword, value, level + 1);
    if (valid !== undefined) result[keyword] = valid;
  }
  const names = wireNames(fieldsOf(schema.properties));
  const required = listOf(schema.required).flatMap(name => names.get(String(name)) ?? []);
  if (required.length > 0) result.required = required;
  if (result.type === 'array') result.items ??= {};
  return result;
}

/** Returns `undefined` to omit the keyword. */
function validKeyword(keyword: string, value: unknown, level: number): unknown {
  switch (keyword) {
    case 'required':
      return undefined;
    case 'type':
      return validType(value);
    case 'properties':
      return validProperties(fieldsOf(value), level);
    case 'items':
      return validSchema(value, level);
    case 'anyOf':
    case 'oneOf':
    case 'allOf': {
      const branches = branchesOf(value);
      return branches.length > 0 ? branches.map(branch => validSchema(branch, level)) : undefined;
    }
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case 'description':
    case 'format':
      return typeof value === 'string' && value !== '' ? value : undefined;
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return Number.isInteger(value) && Number(value) >= 0 ? value : undefined;
    case 'minimum':
    case 'maximum':
      return Number.isFinite(value) ? value : undefined;
    default:
      return value;
  }
}

function validProperties(properties: Properties, level: number): Properties {
  const names = wireNames(properties);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [names.get(name), validSchema(schema, level)]),
  );
}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Type names of other languages. */
const typeWords: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  map: 'object',
};

/** Without a type the model may write anything. */
function validType(type: unknown): string | readonly string[] | undefined {
  if (Array.isArray(type)) {
    const valid = [...new Set(type.flatMap(each => validType(each) ?? []))];
    return valid.length > 0 ? valid : undefined;
  }
  const word = String(type).trim().toLowerCase();
  return types.includes(word) ? word : typeWords[word];
}

const maxNameLength = 64;

/** Maps the tool's names to unique ones. Names that every service accepts stay. */
function wireNames(properties: Properties): ReadonlyMap<string, string> {
  const own = Object.keys(properties);
  const taken = new Set(own.filter(isWireName));
  return new Map(own.map(name => [name, isWireName(name) ? name : newName(name, taken)]));
}

function isWireName(name: string): boolean {
  return /^[a-zA-Z0-9_.-]{1,64}$/.test(name);
}

function newName(name: string, taken: Set<string>): string {
  const plain = headOf(name.replace(/[^a-zA-Z0-9_.-]+/g, '_'), maxNameLength - 4) || '_';
  let made = plain;
  for (let count = 2; taken.has(made); count++) made = `${plain}_${count}`;
  taken.add(made);
  return made;
}

function originalMembers(schema: unknown, value: unknown): Properties {
  const given = fieldsOf(value);
  if (!isRecord(schema)) return given;
  const properties = fieldsOf(schema.properties);
  const originals = new Map([...wireNames(properties)].map(([own, wire]) => [wire, own]));
  const entries = Object.entries(given).map(([wire, each]) => {
    const name = originals.get(wire) ?? wire;
    return [name, originalValue(properties[name], each)] as const;
  });
  const isSame = entries.every(([name, each]) => given[name] === each);
  return isSame ? given : Object.fromEntries(entries);
}

function originalValue(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  const branches = branchesOf(schema.anyOf, schema.oneOf, schema.allOf);
  if (Array.isArray(value)) {
    const items = [schema, ...branches].map(each => each.items).find(isRecord);
    const read = value.map(each => originalValue(items, each));
    return read.every((each, at) => each === value[at]) ? value : read;
  }
  if (!isRecord(value)) return value;
  return [schema, ...branches].reduce<Properties>((read, each) => originalMembers(each, read), value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
