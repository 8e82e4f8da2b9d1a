/* Messages of the page, made from the rows of the intentions: a new row brings its examples along. */

import * as z from 'zod';
import { intentions, type ToHost } from '../../src/protocol/intentions.ts';

/** Of each row so many that every member, every kind and every word of a choice occurs, and its absence where it may. */
export const messageExamples: readonly ToHost[] = Object.values(intentions).flatMap(
  row => examplesOf(z.toJSONSchema(row)) as readonly ToHost[],
);

type Schema = z.core.JSONSchema._JSONSchema;

function examplesOf(schema: Schema): readonly unknown[] {
  if (typeof schema === 'boolean') throw new Error('A row says of no member that anything will do.');
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  if (schema.oneOf) return schema.oneOf.flatMap(examplesOf);
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array':
      return [examplesOf(schema.items as Schema), []];
    case 'string':
      return [textOf(schema)];
    case 'integer':
      return [3];
    case 'boolean':
      return [true, false];
    default:
      throw new Error(`There is no example of ${JSON.stringify(schema)}: add its kind here.`);
  }
}

function objectsOf({ properties = {}, required = [] }: z.core.JSONSchema.JSONSchema): readonly object[] {
  const members = Object.entries(properties).map(([key, schema]) => {
    const present = examplesOf(schema).map(value => [[key, value]]);
    return required.includes(key) ? present : [...present, []];
  });
  const count = Math.max(...members.map(each => each.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(members.flatMap(each => each[index % each.length]!)),
  );
}

function textOf({ format, pattern }: z.core.JSONSchema.JSONSchema): string {
  if (format === 'base64') return 'AAEC';
  return pattern?.includes('image') ? 'image/png' : 'src/a.ts';
}
