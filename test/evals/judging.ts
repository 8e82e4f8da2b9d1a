/* What the rules of several evals check. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { Eval, Turn } from './eval.ts';

type Files = Readonly<Record<string, string>>;

export function callsIn({ events }: Turn): readonly SessionEventBody<'call.requested'>[] {
  return events.flatMap(event => (event.type === 'call.requested' ? [event] : []));
}

/** The titles of the calls that edit or run something. */
export function deedsIn(turn: Turn): readonly string[] {
  return callsIn(turn).flatMap(({ effect, title }) => (effect === 'edit' || effect === 'run' ? title : []));
}

/** Paths that are new, gone, or hold something else. */
export function changedPaths(before: Files, after: Files): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter(path => before[path] !== after[path]).sort();
}

/** What a file that should hold this and nothing else got wrong; `undefined`: nothing. */
export function findDifference(
  path: string,
  expected: string,
  after: Files,
  before: Files,
): string | undefined {
  const others = changedPaths(before, after).filter(each => each !== path);
  if (others.length > 0) return `it also changed ${others.join(', ')}`;
  const text = after[path];
  if (text === expected) return undefined;
  if (text === before[path]) return `${path} was not changed`;
  const lines = expected.split('\n');
  const at = (text ?? '').split('\n').findIndex((line, index) => line !== lines[index]);
  return `${path} differs from line ${at + 1} on`;
}

/** The first words of an answer, for a verdict. */
export function quote({ answer }: Turn): string {
  return answer.trim().slice(0, 160) || 'nothing';
}

/** Files that are many and alike. */
export function manyFiles(
  count: number,
  make: (number: number) => readonly [path: string, text: string],
): Eval['files'] {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index + 1)));
}
