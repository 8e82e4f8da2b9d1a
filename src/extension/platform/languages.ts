import type { SymbolPlace } from './workbench.ts';

/**
 * Language servers, which know symbols by meaning and not by spelling. A server that cannot answer gives nothing; each
 * question rejects only with the signal's reason, or with a `LanguageError` when a server ended or fell silent over it.
 */
export interface Languages {
  /** A server has answered about the code of this workspace. It changes only in `settle`. */
  readonly isThere: boolean;
  /** At the start of a turn, for a bounded time. Never rejects. */
  settle(): Promise<void>;
  /** Symbols of a file in the order of its lines, each one before those inside of it. */
  outline(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Absolute paths of files that declare a symbol of exactly this name, as far as the servers have looked. */
  findDeclaringFiles(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The code that has this relation to the symbol whose name stands at the point, in no particular order. */
  follow(point: CodePoint, relation: Relation, signal: AbortSignal): Promise<readonly CodePlace[]>;
  /** Finds out what must change so that the symbol whose name stands at the point has another. Changes nothing. */
  rename(point: CodePoint, newName: string, signal: AbortSignal): Promise<Renaming>;
  /** Fixes and refactorings at a symbol or at lines, else what can be done with the whole file. Changes nothing. */
  offer(place: ActionPlace, signal: AbortSignal): Promise<readonly CodeAction[]>;
}

/** Nothing is known of what was asked; the message says why, a sentence that a model can act on. */
export class LanguageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LanguageError';
  }
}

export type ActionPlace = CodePoint | CodePlace | { readonly path: string };

export interface CodeAction {
  /** As people read it in the editor. */
  readonly title: string;
  /** `refused`: it is no change of text. */
  readonly change: Renaming;
}

export type Renaming =
  | { readonly kind: 'edits'; readonly files: readonly FileEdits[] }
  /** `reason`: the server's words. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Changes of one file, as its text stands now, unsaved where it is open; none overlaps another. */
export interface FileEdits {
  /** Absolute; may lie outside of the workspace. */
  readonly path: string;
  readonly edits: readonly CodeEdit[];
  /** An editor holds it. */
  readonly isOpen?: boolean;
}

/** Lines and columns from 1, columns in UTF-16 units. `to` is behind the last character that goes. */
export interface CodeEdit {
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number };
  readonly text: string;
}

export const relations = [
  'references',
  'definition',
  'type_definition',
  'implementations',
  'callers',
] as const;
export type Relation = (typeof relations)[number];

export interface CodeSymbol extends SymbolPlace {
  /** The names of the symbols around it, outermost first, joined by dots; empty at the top. */
  readonly container: string;
  /** It lies in a function, so nobody outside can name it. */
  readonly isLocal: boolean;
  /** The beginning of its name. */
  readonly at: CodePoint;
}

export interface CodePoint {
  /** Absolute. */
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export interface CodePlace {
  /** Absolute; may lie outside of the workspace. */
  readonly path: string;
  /** From 1, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** For a call: the function that it stands in. */
  readonly inside?: string;
}
