import type { SessionEvent } from '../../../protocol/events.ts';
import { maskSecrets, namesSecret } from '../../base/maskSecrets.ts';

/**
 * The event without secrets of known formats, as it may be kept on the disk. What makes a session work again stays
 * exact: ids, kinds, paths, hashes of kept files, signatures of the provider and media. Of a call's arguments and a report every
 * string may be a secret, and one under a name that says so is.
 */
export function maskEvent<E extends SessionEvent>(event: E): E {
  return maskRecord(event);
}

/** The same for anything else that is made of messages, such as a request. */
export function maskRecord<T extends object>(value: T): T {
  // The same shape again, only with other strings.
  return maskMembers(value) as T;
}

const mask = '[masked]';

/** Members outside of arguments that hold no words of anybody, or that must lead to the same place again. */
const exact: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'role',
  'id',
  'tool',
  'name',
  'model',
  'mode',
  'effect',
  'status',
  'outcome',
  'sessionId',
  'turnId',
  'stepId',
  'chapterId',
  'chapterIds',
  'callId',
  'compressionId',
  'rewindId',
  'runId',
  'path',
  'outputPath',
  'folders',
  'cwd',
  'before',
  'after',
  'base',
  'present',
  'agent',
  'signature',
  'thought_signature',
  'mimeType',
  'data',
]);

function maskMembers(value: object): object {
  return mapMembers(value, (member, name) => {
    if (name === 'args' || name === 'report') return maskForeign(member, '');
    return exact.has(name) ? member : maskOwn(member);
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
