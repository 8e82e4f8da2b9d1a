/* Runs scripts of the model that call tools, each in a sandboxed process of its own. Without a sandbox none runs. */

import type { LocalizedMessage } from '../../../protocol/language.ts';

export interface ToolScriptRunner {
  /** Returns why no script can run here and what to do; `undefined` if they can. Never rejects. */
  whyMissing(): Promise<LocalizedMessage | undefined>;
  /**
   * Starts the program that runs one script. Both sides exchange lines.
   * @param hear gets each line of its output
   * @throws if the sandbox cannot be prepared: the script must not run then
   */
  start(hear: (line: string) => void): Promise<ScriptProcess>;
}

export interface ScriptProcess {
  /** Rejects once the process has ended. */
  send(line: string): Promise<void>;
  /** Resolves once its process tree has ended. Never rejects. */
  readonly ended: Promise<ScriptExit>;
  /** Ends its process tree. */
  stop(): Promise<void>;
}

export interface ScriptExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Tail of its standard error; may be empty. */
  readonly said: string;
  /** True if it could not start or its sandbox could not be built, so nothing ran. */
  readonly neverRan: boolean;
  /** True if it was stopped for writing too much output. */
  readonly flooded: boolean;
}
