/*
 * Entries of servers as other programs write them. The list of servers and their start must read the same, so both
 * take it from here.
 */

import { isRecord } from '../../base/record.ts';

/** Other names for keys and kinds become ours; what is not known stays as it is. */
export function plainEntry(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { serverUrl, transport, transportType, ...own } = value;
  const entry: Record<string, unknown> = own;
  const type = [entry.type, transport, transportType].find(each => typeof each === 'string');
  if (entry.url === undefined && serverUrl !== undefined) entry.url = serverUrl;
  if (type !== undefined) entry.type = otherKinds[type.toLowerCase()] ?? type;
  return entry;
}

const otherKinds: Readonly<Record<string, string>> = { local: 'stdio', remote: 'http' };

/** Which key switches it off, if one does. */
export function switchOf({ disabled, enabled }: Readonly<Record<string, unknown>>): string | undefined {
  if (disabled === true) return 'disabled';
  return enabled === false ? 'enabled' : undefined;
}

/** With what its file says about those inputs that it names: who answers goes by that. */
export function withInputs(value: unknown, inputs: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(inputs)) return value;
  const text = JSON.stringify(value);
  const named = inputs.filter(each => isRecord(each) && text.includes(`\${input:${each.id}}`));
  return named.length === 0 ? value : { ...value, inputs: named };
}
