/* Reads what a debugged program looks like where it has stopped, by the debug adapter protocol. */

import { type DebugSession, debug } from 'vscode';
import type { StoppedProgram } from './actionTexts.ts';

/** Frames of the stack, and variables, that are asked for. */
const limits = { frames: 20, variables: 40 };

/** The answers of adapters, as far as they are needed. Any member may be missing. */
interface Answers {
  readonly threads?: readonly { readonly id: number }[];
  readonly stackFrames?: readonly {
    readonly id: number;
    readonly name: string;
    readonly line: number;
    readonly source?: { readonly path?: string; readonly name?: string };
  }[];
  readonly scopes?: readonly { readonly variablesReference: number; readonly expensive: boolean }[];
  readonly variables?: readonly { readonly name: string; readonly value: string }[];
  readonly exceptionId?: string;
  readonly description?: string;
}

/**
 * Reads the stack frame that the user views, or the newest one.
 * @param toPath names a file for the user
 * @returns `undefined` where no program stands still
 */
export async function readStoppedProgram(
  toPath: (file: string) => string,
): Promise<StoppedProgram | undefined> {
  const item = debug.activeStackItem;
  const session = item?.session ?? debug.activeDebugSession;
  if (!session) return undefined;
  const threadId = item?.threadId ?? (await ask(session, 'threads')).threads?.[0]?.id;
  if (threadId === undefined) return undefined;
  const { stackFrames = [] } = await ask(session, 'stackTrace', { threadId, levels: limits.frames });
  const [newest] = stackFrames;
  if (!newest) return undefined;
  const frameId = item && 'frameId' in item ? item.frameId : newest.id;
  const { exceptionId, description } = await ask(session, 'exceptionInfo', { threadId });
  return {
    exception: [exceptionId, description].filter(each => each).join(': '),
    frames: stackFrames.map(({ name, line, source }) => ({
      name,
      line,
      path: source?.path === undefined ? (source?.name ?? '') : toPath(source.path),
    })),
    variables: await readVariables(session, frameId),
  };
}

async function readVariables(session: DebugSession, frameId: number): Promise<StoppedProgram['variables']> {
  const { scopes = [] } = await ask(session, 'scopes', { frameId });
  const [scope] = scopes.filter(({ expensive }) => !expensive);
  if (!scope) return [];
  const { variables = [] } = await ask(session, 'variables', {
    variablesReference: scope.variablesReference,
    count: limits.variables,
  });
  return variables.slice(0, limits.variables).map(({ name, value }) => ({ name, value }));
}

/** Nothing where the adapter cannot answer: many know no `exceptionInfo`, and a program may have continued. */
async function ask(session: DebugSession, command: string, args: object = {}): Promise<Answers> {
  try {
    return ((await session.customRequest(command, args)) as Answers | undefined) ?? {};
  } catch {
    return {};
  }
}
