import * as z from 'zod';
import type { SessionEvent } from '../../../protocol/events.ts';
import { eventSchemas } from '../../../protocol/eventTable.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { markedNames } from '../../../protocol/schemaTable.ts';
import { maskPlaceholder, maskSecrets, namesSecret } from '../../base/maskSecrets.ts';

/**
 * Masks secrets of known formats in an event before it is stored. What a session needs to continue stays exact: ids,
 * paths, hashes, signatures and media, as the event schemas declare. In values from the model, any string may be a
 * secret, and one under a telling name is.
 */
export function maskEvent<E extends SessionEvent>(event: E): E {
  return maskMessagesIn(event);
}

/** Masks the messages in other data, such as a request. */
export function maskMessagesIn<T extends object>(value: T): T {
  // Masking preserves the shape.
  return mayHoldSecret(value, '') ? (maskMembers(value) as T) : value;
}

/** Longer text may be media, which is not searched. */
const longText = 10_000;

/**
 * Quick check that treats all values as the model's. Few events contain secrets, so the schemas of all events are
 * usually not loaded.
 */
function mayHoldSecret(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value.length > longText || maskForeign(value, name) !== value;
  if (Array.isArray(value)) return value.some(item => mayHoldSecret(item, name));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => mayHoldSecret(member, key));
}

const exact = lazySchema(() => namesOf('exact'));
const foreign = lazySchema(() => namesOf('foreign'));

function namesOf(mark: 'exact' | 'foreign'): ReadonlySet<string> {
  return new Set(Object.values(eventSchemas()).flatMap(row => namesIn(row, '', mark)));
}

/** Collects names of schema members with this mark, at any depth. @param name of the schema itself */
function namesIn(schema: z.core.$ZodType, name: string, mark: 'exact' | 'foreign'): readonly string[] {
  const within = partsOf(schema, name).flatMap(([part, partName]) => namesIn(part, partName, mark));
  return [...markedNames(schema, name, mark), ...within];
}

function partsOf(schema: z.core.$ZodType, name: string): readonly [schema: z.core.$ZodType, name: string][] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).map(([key, member]) => [member, key]);
  if (schema instanceof z.ZodArray) return [[schema.element, name]];
  if (schema instanceof z.ZodUnion) return schema.options.map(option => [option, name]);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [[schema.unwrap(), name]];
  return [];
}

function maskMembers(value: object): object {
  return mapMembers(value, (member, name) => {
    if (foreign().has(name)) return maskForeign(member, '');
    return exact().has(name) ? member : maskOwn(member);
  });
}

function maskOwn(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return mapItems(value, maskOwn);
  return typeof value === 'object' && value !== null ? maskMembers(value) : value;
}

/** `name`: the member's name. */
function maskForeign(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return namesSecret(name) && value !== '' ? maskPlaceholder : maskSecrets(value);
  if (Array.isArray(value)) return mapItems(value, item => maskForeign(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return mapMembers(value, maskForeign);
}

/** Returns the same list if nothing changes, which avoids copies. */
function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

function mapMembers(value: object, change: (member: unknown, name: string) => unknown): object {
  const changed = Object.entries(value).map(([name, member]) => [name, change(member, name)] as const);
  const isSame = changed.every(([name, member]) => member === Reflect.get(value, name));
  return isSame ? value : Object.fromEntries(changed);
}
