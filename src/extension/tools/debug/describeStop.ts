/* Describes a paused program to a model: location, call stack and variables, within limits. */

import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import { formatQuantity, oneLine } from '../../base/text.ts';
import type { PausedProgram } from './debugSession.ts';

const limits = { frames: 20, fetched: 100, variables: 30, value: 200, result: 2_000 };

export interface StackFrame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  /** As the adapter names it; empty if unknown. */
  readonly path: string;
}

/** Displays files and their lines. */
export interface SourceDisplay {
  /** True for files of the workspace, false for libraries. */
  isOwn(path: string): boolean;
  show(path: string): Promise<string>;
  /** Returns the line without indentation; empty if unknown. */
  lineAt(path: string, line: number): Promise<string>;
}

export async function readStackFrames(session: PausedProgram): Promise<readonly StackFrame[]> {
  const { state } = session;
  if (state.kind !== 'stopped') return [];
  const { threadId } = state;
  const body = await session.ask('stackTrace', { threadId, startFrame: 0, levels: limits.fetched });
  const frames = Array.isArray(body.stackFrames) ? body.stackFrames.filter(isRecord) : [];
  return frames.map(({ id, name, line, source }) => ({
    id: Number(id),
    name: oneLine(textOrEmpty(name), 100),
    line: Number(line),
    path: textOrEmpty(fieldsOf(source).path) || textOrEmpty(fieldsOf(source).name),
  }));
}

/** Numbers the frames of the workspace. Counts those of libraries in between. */
export async function describeStack(
  frames: readonly StackFrame[],
  place: SourceDisplay,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let [folded, shown] = [0, 0];
  const closeFold = () => {
    if (folded > 0) lines.push(`  … ${formatQuantity(folded, 'frame')} of libraries`);
    folded = 0;
  };
  for (const [number, frame] of frames.entries()) {
    if (shown === limits.frames) {
      closeFold();
      lines.push(`  … ${formatQuantity(frames.length - number, 'frame')} more`);
      return lines;
    }
    // The newest frame is always shown, since the program is there.
    if (number > 0 && !place.isOwn(frame.path)) {
      folded++;
      continue;
    }
    closeFold();
    lines.push(`${number} ${frame.name} ${await place.show(frame.path)}:${frame.line}`);
    shown++;
  }
  closeFold();
  return lines;
}

/** Returns one level of the frame's own variables. */
export async function describeVariables(
  session: PausedProgram,
  frame: StackFrame,
): Promise<readonly string[]> {
  const { scopes: given } = await session.ask('scopes', { frameId: frame.id });
  const scopes = Array.isArray(given) ? given.filter(isRecord) : [];
  const near = scopes.filter(
    ({ name, expensive }, at) =>
      expensive !== true && (at === 0 || !/global|module|register|script/i.test(textOrEmpty(name))),
  );
  const lines: string[] = [];
  for (const { name, variablesReference } of near) {
    const left = limits.variables - lines.length;
    if (left <= 0) break;
    const found = await describeChildren(session, variablesReference, left);
    if (found.length > 0) lines.push(`${oneLine(textOrEmpty(name), 40)}:`, ...found);
  }
  return lines;
}

/** Members added by adapters, which are not part of the program. */
const added = /^(?:\[\[.*\]\]|(?:special|function|class) variables|__\w+__)$/;

async function describeChildren(
  session: PausedProgram,
  variablesReference: unknown,
  most: number,
): Promise<readonly string[]> {
  if (typeof variablesReference !== 'number' || variablesReference === 0) return [];
  const body = await session.ask('variables', { variablesReference });
  const all = (Array.isArray(body.variables) ? body.variables.filter(isRecord) : []).filter(
    ({ name }) => !added.test(textOrEmpty(name)),
  );
  const lines = all
    .slice(0, most)
    .map(
      ({ name, value }) =>
        `  ${oneLine(textOrEmpty(name), 80)} = ${oneLine(textOrEmpty(value), limits.value)}`,
    );
  return all.length > most ? [...lines, `  … ${all.length - most} more`] : lines;
}

/** Returns the value, with its members if it has any. */
export async function describeValue(
  session: PausedProgram,
  expression: string,
  frame: StackFrame,
): Promise<string> {
  const body = await session.ask('evaluate', { expression, frameId: frame.id, context: 'watch' });
  const members = await describeChildren(session, body.variablesReference, limits.variables);
  return [oneLine(textOrEmpty(body.result), limits.result), ...members].join('\n');
}

/** Describes the exception at which the program stopped. Without `exceptionInfo` the stop event described it. */
export async function describeException(session: PausedProgram): Promise<string> {
  const { state } = session;
  // An unknown reason may be an exception.
  if (state.kind !== 'stopped' || !['exception', ''].includes(state.reason)) return '';
  const known = oneLine(state.text, 500);
  const info = await session.ask('exceptionInfo', { threadId: state.threadId }).catch(() => ({}));
  const { exceptionId, description } = fieldsOf(info);
  // debugpy's text for no exception.
  if (description === 'exception: no description') return known;
  const said = oneLine([textOrEmpty(exceptionId), textOrEmpty(description)].filter(Boolean).join(': '), 500);
  return said === '' ? known : said;
}
