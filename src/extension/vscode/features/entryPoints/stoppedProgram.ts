/* Reads the state of a paused program through the Debug Adapter Protocol. */

import { type DebugSession, debug } from 'vscode';
import type { StoppedProgram } from './actionTexts.ts';

/** Maximal number of stack frames and variables. */
const limits = { frames: 20, variables: 40 };

/** The members of adapter responses that are used. Any may be missing. */
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
 * @param toPath returns a file's display path
 * @returns `undefined` if no program is paused
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

/**
 * Returns an empty object if the adapter cannot answer: many lack `exceptionInfo`, and the program may have continued.
 */
async function ask(session: DebugSession, command: string, args: object = {}): Promise<Answers> {
  try {
    return ((await session.customRequest(command, args)) as Answers | undefined) ?? {};
  } catch {
    return {};
  }
}
