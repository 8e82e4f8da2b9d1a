import type { SymbolLocation } from './workbench.ts';

/**
 * Language servers, which resolve symbols semantically. If a server cannot answer, results are empty. Each method
 * rejects only with the signal's reason, or with a `LanguageError` if a server ended or stopped responding.
 */
export interface Languages {
  /** True once a server has answered about this workspace. Changes only in `settle`. */
  readonly isAvailable: boolean;
  /** Called at the start of a turn, takes bounded time. Never rejects. */
  settle(): Promise<void>;
  /** Returns the symbols of a file in line order, each before those inside of it. */
  outline(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Absolute paths of files that declare a symbol of exactly this name, as far as servers have indexed. */
  findDeclaringFiles(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the code with this relation to the symbol at the point, in no particular order. */
  follow(point: CodePosition, relation: SymbolRelation, signal: AbortSignal): Promise<readonly CodeRange[]>;
  /** Computes the edits that rename the symbol at the point. Changes nothing. */
  rename(point: CodePosition, newName: string, signal: AbortSignal): Promise<ProposedEdits>;
  /** Returns fixes and refactorings for a symbol or lines, else for the whole file. Changes nothing. */
  offer(place: ActionTarget, signal: AbortSignal): Promise<readonly CodeAction[]>;
}

/** No server could answer. The message says why, as a sentence that a model can act on. */
export class LanguageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LanguageError';
  }
}

export type ActionTarget = CodePosition | CodeRange | { readonly path: string };

export interface CodeAction {
  readonly title: string;
  /** `refused`: the action is not a text edit. */
  readonly change: ProposedEdits;
}

/** The edits of a rename or code action, not applied yet, or why there are none. */
export type ProposedEdits =
  | { readonly kind: 'edits'; readonly files: readonly FileEdits[] }
  /** `reason`: the server's message. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Edits of one file against its current text, unsaved if it is open. They do not overlap. */
export interface FileEdits {
  /** Absolute; may be outside of the workspace. */
  readonly path: string;
  readonly edits: readonly CodeEdit[];
  readonly isOpen?: boolean;
}

/** Lines and columns from 1, columns in UTF-16 units. `to` is exclusive. */
export interface CodeEdit {
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number };
  readonly text: string;
}

export const symbolRelations = [
  'references',
  'definition',
  'type_definition',
  'implementations',
  'callers',
] as const;
export type SymbolRelation = (typeof symbolRelations)[number];

export interface CodeSymbol extends SymbolLocation {
  /** Names of the enclosing symbols, outermost first, joined by dots; empty at the top level. */
  readonly container: string;
  /** True inside a function, where no other code can refer to it. */
  readonly isLocal: boolean;
  /** Start of its name. */
  readonly at: CodePosition;
}

export interface CodePosition {
  /** Absolute. */
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export interface CodeRange {
  /** Absolute; may be outside of the workspace. */
  readonly path: string;
  /** From 1, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** For a call: the enclosing function. */
  readonly inside?: string;
}
