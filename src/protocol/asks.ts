import type { ApprovalMode } from './intentions.ts';
import type { AlwaysChoice, AskedCommand } from './permissions.ts';
import type { Question } from './questions.ts';
import type { Counts, SubagentReport, Todo } from './values.ts';

export interface Ask {
  /** Unique per ask, since a call may ask again. Absent in journals of earlier versions. */
  readonly id?: string;
  /** Why a user is asked, one sentence. */
  readonly reason: string;
  /** English texts for hooks, where the user's language is another. */
  readonly english?: { readonly reason: string; readonly walls?: string };
  readonly subject: AskSubject;
  /** One sentence: which rule asks, and its file. Absent for Folio's own defaults. */
  readonly rule?: string;
  /** Every command that a command line would run. */
  readonly commands?: readonly AskedCommand[];
  /** Lasting permissions that the user can grant, the narrowest first. */
  readonly always: readonly AlwaysChoice[];
  /** One sentence: why `always` is empty. Absent where `reason` says so, and in journals of earlier versions. */
  readonly eachTime?: string;
}

export type AskSubject =
  | { readonly kind: 'edit'; readonly diff: FileDiff }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      readonly background: boolean;
      /** Says in words whether the sandbox holds. Absent: not sandboxed, and no setting asks for it. */
      readonly walls?: string;
      /** `wanted`: runs in a terminal for input. `offered`: the user may choose that. Absent: not possible. */
      readonly terminal?: 'wanted' | 'offered';
    }
  | { readonly kind: 'fetch'; readonly urls: readonly string[] }
  /** A sandboxed command waits for permission to connect to these hosts. */
  | { readonly kind: 'connect'; readonly hosts: readonly string[]; readonly command: string }
  /** Reads files that may hold secrets. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | {
      readonly kind: 'questions';
      readonly questions: readonly Question[];
      /** The MCP server that asks during its call. Absent: the model asks. */
      readonly from?: { readonly server: string; readonly message: string };
    }
  /** `path`: file of the plan, which the user may edit. `text`: as the agent wrote it, cut. */
  | { readonly kind: 'plan'; readonly path: string; readonly text: string }
  | { readonly kind: 'mode'; readonly mode: ApprovalMode }
  | { readonly kind: 'other'; readonly detail: string };

/** A proposed edit for display. Limited in size: `hiddenLines` counts the lines left out. */
export interface FileDiff extends Counts {
  /** Relative to the first workspace folder if inside it, otherwise absolute. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  readonly hunks: readonly DiffHunk[];
  readonly hiddenLines: number;
}

export interface DiffHunk {
  /** Names the notebook cell: `Cell 3, python`. Line numbers then count within the cell. */
  readonly place?: string;
  /** Changed cells of a notebook, if more than one. */
  readonly cells?: number;
  /** First line of the hunk before and after the change, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** True for a line that names the cell below. It has no line number. */
  readonly heading?: true;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Details below the summary line of an ended call's card. */
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
  /** The report of a subagent. Earlier versions recorded a string. */
  | { readonly kind: 'report'; readonly report: SubagentReport };
