import type { Event } from '../base/emitter.ts';

/** The editor as the user sees it. */
export interface Editor {
  readContext(): EditorContext;
  readonly onDidChange: Event<void>;
}

export interface EditorContext {
  readonly active?: ActiveFile;
  /** Absolute paths of all files that stand in the editor but the active one, most recently used first. */
  readonly open: readonly string[];
  /** Absolute paths of files that the user typed in, newest first; at most 10. Left out where nobody knows. */
  readonly edited?: readonly string[];
}

export interface ActiveFile {
  /** Absolute. */
  readonly path: string;
  /** Both from 1. */
  readonly cursor: { readonly line: number; readonly character: number };
  /** At most 16,384 characters. */
  readonly selection?: string;
  /** Both lines belong to it, counted from 1. */
  readonly selectedLines?: { readonly startLine: number; readonly endLine: number };
}
