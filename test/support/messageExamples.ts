/* Messages of the page and lines of journals, made from the rows of their tables: a new row brings its examples along. */

import * as z from 'zod';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eventSchemas } from '../../src/protocol/eventTable.ts';
import { intentionSchemas, type ToHost } from '../../src/protocol/intentions.ts';

/** Of each row so many that every member, every kind and every word of a choice occurs, and its absence where it may. */
export const messageExamples: readonly ToHost[] = Object.values(intentionSchemas).flatMap(
  row => examplesOf(z.toJSONSchema(row)) as readonly ToHost[],
);

/** The same of each event, with no more than what is asked of it. */
export const eventExamples: readonly SessionEvent[] = Object.values(eventSchemas())
  .flatMap(row => examplesOf(z.toJSONSchema(row)) as readonly object[])
  .map((event, index) => ({ ...event, seq: index + 1, at: 1 }) as SessionEvent);

type Schema = z.core.JSONSchema._JSONSchema;

function examplesOf(schema: Schema): readonly unknown[] {
  if (typeof schema === 'boolean') throw new Error('A row says of no member that anything will do.');
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.flatMap(examplesOf);
  if (Array.isArray(schema.type)) return schema.type.flatMap(type => examplesOf({ ...schema, type }));
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array':
      return [examplesOf(schema.items as Schema), []];
    case 'string':
      return [textOf(schema)];
    case 'integer':
    case 'number':
      return [3];
    case 'null':
      return [null];
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
  const count = Math.max(1, ...members.map(each => each.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(members.flatMap(each => each[index % each.length]!)),
  );
}

function textOf({ format, pattern }: z.core.JSONSchema.JSONSchema): string {
  if (format === 'base64') return 'AAEC';
  return pattern?.includes('image') ? 'image/png' : 'src/a.ts';
}
