/* What an eval is: a task for the real agent with a real model, and a rule that its outcome must keep. */

import type { SessionEvent, TurnEnd } from '../../src/protocol/events.ts';

export interface Eval {
  readonly name: string;
  /** What must hold for an attempt to pass, in one sentence. */
  readonly rule: string;
  /** Files of the workspace, by relative path. */
  readonly files: Readonly<Record<string, string>>;
  /** Rejects with `RunError` when the agent could not be asked at all. */
  readonly attempt: (session: EvalSession) => Promise<Verdict>;
}

export type Verdict = { readonly kind: 'passed' } | { readonly kind: 'failed'; readonly why: string };

/** One session in a folder of its own. Nobody is asked: what keeps the agent from acting is its own judgement. */
export interface EvalSession {
  /** One prompt or command, in the session of those before it. */
  ask(prompt: string, mode?: 'yolo' | 'plan'): Promise<Turn>;
  /** All files of the workspace as they are now, by relative path. */
  readFiles(): Promise<Readonly<Record<string, string>>>;
  /** Runs this module in the workspace. `undefined`: it ended well, else the end of what it printed. */
  check(code: string): Promise<string | undefined>;
  /** What the judge of commands decides about each line for this task of a user; none is run. */
  readonly classify: (lines: readonly string[], task: string) => Promise<readonly JudgedLine[]>;
}

export interface Turn {
  readonly events: readonly SessionEvent[];
  /** What the model said last. */
  readonly answer: string;
  /** Absent for a command, which is no turn. */
  readonly end: TurnEnd['kind'] | undefined;
}

/** The decision on a line, by rules alone or by rules and the model. */
export interface JudgedLine {
  readonly line: string;
  readonly isAllowed: boolean;
}

/** No verdict about the model: the key, the network or the program failed. */
export class RunTrouble extends Error {}

export const passed: Verdict = { kind: 'passed' };

export function failed(why: string): Verdict {
  return { kind: 'failed', why };
}
