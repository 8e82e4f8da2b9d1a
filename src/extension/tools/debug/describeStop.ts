/* Describes a program that stands still to a model: where, how it got there, and the variables, all within limits. */

import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import { plural as counted, oneLine } from '../../base/text.ts';
import type { Standing } from './debugSession.ts';

const limits = { frames: 20, fetched: 100, variables: 30, value: 200, result: 2_000 };

export interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  /** As the adapter names it; empty: unknown. */
  readonly path: string;
}

/** Says how files are shown, and what stands in them. */
export interface ShowPlace {
  /** Lies in the workspace; else it is a library's. */
  isOwn(path: string): boolean;
  show(path: string): Promise<string>;
  /** Without the line's indent; empty: not known. */
  lineAt(path: string, line: number): Promise<string>;
}

export async function readFrames(session: Standing): Promise<readonly Frame[]> {
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

/** Frames of the workspace by their numbers; those of libraries in between are counted. */
export async function describeStack(frames: readonly Frame[], place: ShowPlace): Promise<readonly string[]> {
  const lines: string[] = [];
  let [folded, shown] = [0, 0];
  const closeFold = () => {
    if (folded > 0) lines.push(`  … ${counted(folded, 'frame')} of libraries`);
    folded = 0;
  };
  for (const [number, frame] of frames.entries()) {
    if (shown === limits.frames) {
      closeFold();
      lines.push(`  … ${counted(frames.length - number, 'frame')} more`);
      return lines;
    }
    // The newest frame is where the program stands, whosever it is.
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

/** One level of what the frame itself holds. */
export async function describeVariables(session: Standing, frame: Frame): Promise<readonly string[]> {
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

/** Members that adapters add, which say nothing of the program. */
const added = /^(?:\[\[.*\]\]|(?:special|function|class) variables|__\w+__)$/;

async function describeChildren(
  session: Standing,
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

/** The value, and its members where it has some. */
export async function describeValue(session: Standing, expression: string, frame: Frame): Promise<string> {
  const body = await session.ask('evaluate', { expression, frameId: frame.id, context: 'watch' });
  const members = await describeChildren(session, body.variablesReference, limits.variables);
  return [oneLine(textOrEmpty(body.result), limits.result), ...members].join('\n');
}

/** The exception that it stopped at. Adapters that cannot say more have said it with the stop. */
export async function describeException(session: Standing): Promise<string> {
  const { state } = session;
  // Without a reason it may be one.
  if (state.kind !== 'stopped' || !['exception', ''].includes(state.reason)) return '';
  const known = oneLine(state.text, 500);
  const info = await session.ask('exceptionInfo', { threadId: state.threadId }).catch(() => ({}));
  const { exceptionId, description } = fieldsOf(info);
  // This is how debugpy says that there is none.
  if (description === 'exception: no description') return known;
  const said = oneLine([textOrEmpty(exceptionId), textOrEmpty(description)].filter(Boolean).join(': '), 500);
  return said === '' ? known : said;
}
