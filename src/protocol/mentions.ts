/* Mentions of a prompt (`@…`), and completions of the composer. */

import type { Intention } from './intentions.ts';
import type { LineRange } from './values.ts';

export type MentionKind =
  | 'file'
  | 'folder'
  | 'symbol'
  | 'problems'
  | 'terminal'
  | 'diff'
  | 'url'
  | 'resource';

/** The outcome of one mention. */
export interface Mention {
  /** As written in the prompt, with its `@`; for an attached file its path. */
  readonly text: string;
  readonly kind: MentionKind;
  readonly outcome: 'read' | 'cut' | 'ignored' | 'missing' | 'failed';
  /** One line for the user: `120 lines`, `Left out by .gitignore`. */
  readonly detail: string;
  /** For a file or folder: relative to the first workspace folder if inside it, otherwise absolute. */
  readonly path?: string;
  /** Lines that were selected in the editor, not mentioned, when the prompt was sent. */
  readonly lines?: LineRange;
}

export type CompletionTrigger = Intention<'completion.ask'>['trigger'];

export interface CompletionChoice {
  readonly kind: MentionKind | 'command';
  readonly label: string;
  /** Replaces the trigger and the query. Ends with a space where nothing can follow. */
  readonly insert: string;
  /** Muted, behind the label: a folder, a description. */
  readonly detail?: string;
  /** For a command: placeholder for its argument. */
  readonly hint?: string;
  /** For a command that is not built in: its source. */
  readonly source?: string;
  /** True if ignore rules prevent reading it. */
  readonly ignored?: true;
}

export interface CompletionList {
  /** Best first. */
  readonly choices: readonly CompletionChoice[];
  /** True if the list is incomplete. */
  readonly limited: boolean;
}
