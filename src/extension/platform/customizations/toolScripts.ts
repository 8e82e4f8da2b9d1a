/* Runs scripts of the model that call tools: each in a process of its own, in the sandbox or not at all. */

import type { Saying } from '../../../protocol/language.ts';

export interface ToolScripts {
  /** Returns why no script can run here and what to do about it; undefined: they can. Never rejects. */
  whyMissing(): Promise<Saying | undefined>;
  /**
   * Starts the program that runs one script. It reads lines from its input and answers in lines.
   * @param hear gets each line of its output
   * @throws when the sandbox cannot be prepared: the script must not run then
   */
  start(hear: (line: string) => void): Promise<ScriptProcess>;
}

export interface ScriptProcess {
  /** Rejects once it has ended. */
  send(line: string): Promise<void>;
  /** Resolves once its whole tree has ended. Never rejects. */
  readonly ended: Promise<ScriptExit>;
  /** Ends its whole tree. */
  stop(): Promise<void>;
}

export interface ScriptExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its newest words on standard error; empty: none. */
  readonly said: string;
  /** It could not start, or its sandbox could not be built: nothing of it has run. */
  readonly neverRan: boolean;
  /** It wrote more than is read, and was ended for that. */
  readonly flooded: boolean;
}
