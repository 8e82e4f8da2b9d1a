import type { Event } from '../base/emitter.ts';

/** The editor's state that the user sees. */
export interface Editor {
  readContext(): EditorContext;
  readonly onDidChange: Event<void>;
}

export interface EditorContext {
  readonly active?: ActiveFile;
  /** Absolute paths of all open files but the active one, most recently used first. */
  readonly open: readonly string[];
  /** Absolute paths of files that the user typed in, newest first, at most 10. Absent if unknown. */
  readonly edited?: readonly string[];
}

export interface ActiveFile {
  /** Absolute. */
  readonly path: string;
  /** Both from 1. */
  readonly cursor: { readonly line: number; readonly character: number };
  /** At most 16,384 characters. Absent, with `selectedLines` present, if the user left it out. */
  readonly selection?: string | undefined;
  /** From 1, both inclusive. */
  readonly selectedLines?: { readonly startLine: number; readonly endLine: number };
}
