/* The question of a call that a user decides. */

import type { ApprovalMode } from './intentions.ts';
import type { AlwaysChoice, AskedCommand } from './permissions.ts';
import type { Question } from './questions.ts';
import type { Counts, Report, Todo } from './values.ts';

export interface Ask {
  /** Identifies exactly this ask: a call may ask again. Absent in journals of earlier versions. */
  readonly id?: string;
  /** Why a user is asked, one sentence. */
  readonly reason: string;
  /** Hooks read this in place of the user's words, where these are in another language. */
  readonly english?: { readonly reason: string; readonly walls?: string };
  readonly subject: AskSubject;
  /** Which rule asks and where it stands, one sentence; absent for Folio's own defaults. */
  readonly rule?: string;
  /** For a command line: every command that would run. */
  readonly commands?: readonly AskedCommand[];
  /** Lasting permissions that would stop the asking, the narrowest first. */
  readonly always: readonly AlwaysChoice[];
  /** Why none is offered, one sentence; absent where `reason` says so, and in journals of earlier versions. */
  readonly eachTime?: string;
}

export type AskSubject =
  | { readonly kind: 'edit'; readonly diff: FileDiff }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      readonly background: boolean;
      /** The sandbox that hold it, in words; absent: nothing holds it, and nobody wants it held. */
      readonly walls?: string;
      /** `wanted`: the user answers it in a terminal. `offered`: they may choose that. Absent: nobody can answer it. */
      readonly terminal?: 'wanted' | 'offered';
    }
  | { readonly kind: 'fetch'; readonly urls: readonly string[] }
  /** A command that runs in the sandbox waits to be let through to these hosts. */
  | { readonly kind: 'connect'; readonly hosts: readonly string[]; readonly command: string }
  /** Reading of what may hold secrets. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | {
      readonly kind: 'questions';
      readonly questions: readonly Question[];
      /** A server asks, while its call runs; absent: the model does. */
      readonly from?: { readonly server: string; readonly message: string };
    }
  /** The plan stands in this file, where the user may change it. `text`: as the agent wrote it, bounded. */
  | { readonly kind: 'plan'; readonly path: string; readonly text: string }
  | { readonly kind: 'mode'; readonly mode: ApprovalMode }
  | { readonly kind: 'other'; readonly detail: string };

/** A proposal as a user sees it. Bounded: what is left out is said in `hiddenLines`. */
export interface FileDiff extends Counts {
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  readonly hunks: readonly DiffHunk[];
  readonly hiddenLines: number;
}

export interface DiffHunk {
  /** Where it stands, in words, where that says more than a line: `Cell 3, python`. Lines are then those of it. */
  readonly place?: string;
  /** First line of the hunk before and after, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** Names the cell that begins here. It is no line of it: lines are counted from the next one on. */
  readonly heading?: true;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of an ended call's card that stands below its line. */
export type DisplayDetail =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly outputPath?: string;
    }
  | { readonly kind: 'diff'; readonly diff: FileDiff }
  | {
      readonly kind: 'command';
      readonly exitCode: number | null;
      readonly output: string;
      readonly outputPath?: string;
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** The report of a subagent. Earlier versions recorded it as a text. */
  | { readonly kind: 'report'; readonly report: Report };
