/* Steps and refusals of a scripted server that are the same on every wire. See scriptedServer.ts. */

import type { RawStep, ScriptedRefusal } from './scriptedServer.ts';

export type PlainStep = Exclude<RawStep, { kind: 'events' }>;

export function bytes(value: string | Uint8Array): PlainStep {
  return { kind: 'bytes', bytes: typeof value === 'string' ? new TextEncoder().encode(value) : value };
}

export const hang: PlainStep = { kind: 'hang' };
export const reset: PlainStep = { kind: 'reset' };
export const noFinish: PlainStep = { kind: 'stop' };
export const silence: ScriptedRefusal = { kind: 'silence' };
export const hangUp: ScriptedRefusal = { kind: 'hangUp' };

export function page(status: number, body: string, type = 'text/html'): ScriptedRefusal {
  return { kind: 'page', status, type, body };
}

/** An event as it stands on the wire, named by its type. */
export function eventText(value: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** A text as it comes in two pieces; a short one comes at once, and of nothing come none. */
export function halves(value: string): readonly string[] {
  if (value.length < 4) return value === '' ? [] : [value];
  const middle = Math.ceil(value.length / 2);
  return [value.slice(0, middle), value.slice(middle)];
}
