import type { ApprovalMode } from '../../../../protocol/intentions.ts';
import type { Container } from '../../../../protocol/worktree.ts';

/** All that the system prompt adapts to. Plain data, so that the prompt is a pure function of it. */
export interface PromptFacts {
  /** A user is there to approve and to answer. */
  readonly interactive: boolean;
  readonly mode: ApprovalMode;
  /** Model id of the provider. */
  readonly model: string;
  /** Names of the tools that the request declares. */
  readonly tools: readonly string[];
  /** Agents that `invoke_agent` can send out; absent or empty: none. */
  readonly agents?: readonly PromptEntry[];
  /** Skills that `activate_skill` can load; absent or empty: none. */
  readonly skills?: readonly PromptEntry[];
  /** Instructions of running servers; absent or empty: none. */
  readonly servers?: readonly ServerInstructions[];
  /** Diagrams and charts of an answer are drawn for the user. */
  readonly drawsFigures?: boolean | undefined;
  /** Folder of Folio's own documentation, absolute; absent: it was not found. */
  readonly docs?: string;
  /** Absolute workspace folders, the first is the base of relative paths. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  readonly hasGit: boolean;
  /** The folders are a worktree of the session's own; absent: they are the user's. */
  readonly isWorktree?: boolean | undefined;
  /** The first of ten ports for servers of the session; absent: any will do. */
  readonly portBase?: number | undefined;
  /** Commands run in it; absent: on the user's system. */
  readonly container?: Container | undefined;
  /** Holds commands back: `folio` builds one for each of them. */
  readonly sandbox: 'folio' | OuterSandbox;
  /** For example `linux`. */
  readonly platform: string;
  /** For example `bash`. */
  readonly shell: string;
  /** A day as the user would write it, for example `2026-03-14`. */
  readonly date: string;
  readonly memory: readonly PromptMemory[];
  /** Marks memory of a folder at the end of a result; absent where there is none to come. */
  readonly memoryKey?: string;
  /** Sections to leave out, by name. */
  readonly without: readonly string[];
  /** Text of the user's own prompt file, which takes the place of the sections. */
  readonly own?: string;
}

/** Holds all of Folio. */
export type OuterSandbox = 'seatbelt' | 'container' | 'none';

export interface PromptEntry {
  readonly name: string;
  /** One line. */
  readonly description: string;
}

export interface ServerInstructions {
  readonly server: string;
  /** The server's own words. */
  readonly text: string;
}

/** A file of standing instructions. Only such as are trusted get here. */
export interface PromptMemory {
  readonly path: string;
  readonly text: string;
}

/** A section's text, or nothing when the facts leave it nothing to say. */
export type Section = (facts: PromptFacts) => string | undefined;

type ModelFamily = 'gemini2' | 'gemini3' | 'other';

/** Older families stop early and describe calls instead of making them, so they are told not to. */
export function modelFamily(model: string): ModelFamily {
  const version = /gemini-(\d+)/.exec(model)?.[1];
  if (version === undefined) return 'other';
  return Number(version) <= 2 ? 'gemini2' : 'gemini3';
}

export function hasTool(facts: PromptFacts, name: string): boolean {
  return facts.tools.includes(name);
}

/** Lines that apply, joined; what does not apply is `false` or `undefined`. */
export function joinLines(...lines: readonly (string | false | undefined)[]): string {
  return lines.filter(line => typeof line === 'string' && line !== '').join('\n');
}
