import * as z from 'zod';
import type { SessionEvent } from '../../../protocol/events.ts';
import { events } from '../../../protocol/eventTable.ts';
import { later } from '../../../protocol/later.ts';
import { markedNames } from '../../../protocol/table.ts';
import { mask, maskSecrets, namesSecret } from '../../base/maskSecrets.ts';

/**
 * Returns the event without secrets of known formats, as it may be kept on the disk. Everything that a session needs
 * to work again stays exact: ids, paths, hashes of kept files, signatures of the provider and media, as the rows of
 * the events say. In the model's own values every string may be a secret, and one under a name that says so is.
 */
export function maskEvent<E extends SessionEvent>(event: E): E {
  return maskRecord(event);
}

/** The same for anything else that is made of messages, such as a request. */
export function maskRecord<T extends object>(value: T): T {
  // The same shape again, only with other strings.
  return mayHoldSecret(value, '') ? (maskMembers(value) as T) : value;
}

/** A longer text may be media, which need not be searched. */
const longText = 10_000;

/**
 * Says whether anything would be masked if all of it were a model's own. Hardly any event holds a secret, and where
 * none is found the names need not be known, so that a session begins without the schemas of all events.
 */
function mayHoldSecret(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value.length > longText || maskForeign(value, name) !== value;
  if (Array.isArray(value)) return value.some(item => mayHoldSecret(item, name));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => mayHoldSecret(member, key));
}

const exact = later(() => namesOf('exact'));
const foreign = later(() => namesOf('foreign'));

function namesOf(mark: 'exact' | 'foreign'): ReadonlySet<string> {
  return new Set(Object.values(events()).flatMap(row => namesIn(row, '', mark)));
}

/** Names of the members of a schema, at any depth, that have this mark. @param name of the schema itself */
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

/** `name`: under which it stands. */
function maskForeign(value: unknown, name: string): unknown {
  if (typeof value === 'string') return namesSecret(name) && value !== '' ? mask : maskSecrets(value);
  if (Array.isArray(value)) return mapItems(value, item => maskForeign(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return mapMembers(value, maskForeign);
}

/** The list itself when nothing in it changes, so that an event without secrets costs no copies. */
function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

function mapMembers(value: object, change: (member: unknown, name: string) => unknown): object {
  const changed = Object.entries(value).map(([name, member]) => [name, change(member, name)] as const);
  const isSame = changed.every(([name, member]) => member === Reflect.get(value, name));
  return isSame ? value : Object.fromEntries(changed);
}
