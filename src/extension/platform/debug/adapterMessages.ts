/* Parses events of the Debug Adapter Protocol. Any member may be missing or have another type. */

import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import type { DebugEvent } from './debugger.ts';

/** Returns `undefined` for events that nobody uses. */
export function parseDebugEvent(event: string, given: unknown): DebugEvent | undefined {
  const body = fieldsOf(given);
  switch (event) {
    case 'stopped':
      return {
        kind: 'stopped',
        reason: textOrEmpty(body.reason),
        text: textOrEmpty(body.text) || textOrEmpty(body.description),
        threadId: asNumber(body.threadId) ?? 1,
      };
    case 'continued':
      return { kind: 'continued' };
    case 'output':
      return body.category === 'telemetry' ? undefined : { kind: 'output', text: textOrEmpty(body.output) };
    case 'breakpoint':
      return parseBreakpoint(body.breakpoint);
    default:
      return undefined;
  }
}

/** @param given a breakpoint as an adapter describes it */
export function parseBreakpoint(given: unknown): DebugEvent | undefined {
  if (!isRecord(given)) return undefined;
  const problem = given.verified === false ? textOrEmpty(given.message) || 'not bound' : undefined;
  return { kind: 'breakpoint', id: asNumber(given.id), line: asNumber(given.line), problem };
}

/** Returns the exception filters to enable. @param capabilities of the adapter, from `initialize` */
export function exceptionFilters(
  capabilities: Readonly<Record<string, unknown>>,
  stopsAtCaught: boolean,
): readonly string[] {
  const { exceptionBreakpointFilters: given } = capabilities;
  const all = Array.isArray(given) ? given.filter(isRecord) : [];
  const byDefault = all.filter(each => each.default === true);
  // Adapters name the filter for caught exceptions `all`, `raised`, `caught` or `throw`.
  const caught = all.filter(
    ({ filter, label }) => !/uncaught|unhandled|user/i.test(`${textOrEmpty(filter)} ${textOrEmpty(label)}`),
  );
  const wanted = stopsAtCaught ? [...byDefault, ...caught] : byDefault;
  return [...new Set(wanted.map(({ filter }) => textOrEmpty(filter)))];
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
