/*
 * Normalizes server entries in the formats of other programs. Shared by the list of servers and their start, which must
 * agree.
 */

import { isRecord } from '../../base/record.ts';

/** Translates other names of keys and kinds into ours. Keeps what is not known. */
export function normaliseServerEntry(
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { serverUrl, transport, transportType, ...own } = value;
  const entry: Record<string, unknown> = own;
  const type = [entry.type, transport, transportType].find(each => typeof each === 'string');
  if (entry.url === undefined && serverUrl !== undefined) entry.url = serverUrl;
  if (type !== undefined) entry.type = otherKinds[type.toLowerCase()] ?? type;
  return entry;
}

const otherKinds: Readonly<Record<string, string>> = { local: 'stdio', remote: 'http' };

export function findDisablingKey({
  disabled,
  enabled,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (disabled === true) return 'disabled';
  return enabled === false ? 'enabled' : undefined;
}

/** Adds the declarations of those inputs that the entry names, since they decide who is asked for them. */
export function withUsedInputs(value: unknown, inputs: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(inputs)) return value;
  const text = JSON.stringify(value);
  const named = inputs.filter(each => isRecord(each) && text.includes(`\${input:${each.id}}`));
  return named.length === 0 ? value : { ...value, inputs: named };
}
