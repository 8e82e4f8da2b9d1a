/* Things that a prompt names with `@`, and what the composer offers while one is typed. */

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
  /** As it stands in the prompt, with its `@`; of an attached file its path. */
  readonly text: string;
  readonly kind: MentionKind;
  readonly outcome: 'read' | 'cut' | 'ignored' | 'missing' | 'failed';
  /** One line for the user: `120 lines`, `Left out by .gitignore`. */
  readonly detail: string;
  /** For a file or folder: relative to the first workspace folder where it lies in it; else absolute. */
  readonly path?: string;
  /** These were selected in the editor when the prompt was sent; nobody mentioned them. */
  readonly lines?: LineRange;
}

export type CompletionTrigger = Intention<'completion.ask'>['trigger'];

/** One line of the list over the composer. */
export interface CompletionChoice {
  readonly kind: MentionKind | 'command';
  readonly label: string;
  /** Replaces the trigger and what was typed after it; ends with a space where nothing can follow. */
  readonly insert: string;
  /** Muted, behind the label: a folder, a description. */
  readonly detail?: string;
  /** For a command: hints at the argument behind its name. */
  readonly hint?: string;
  /** For a command that is not Folio's own: the source that brings it. */
  readonly source?: string;
  /** Left out by ignore rules; its content would not be read. */
  readonly ignored?: true;
}

export interface CompletionList {
  /** Best first. */
  readonly choices: readonly CompletionChoice[];
  /** There are more. */
  readonly limited: boolean;
}
