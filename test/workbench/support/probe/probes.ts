import type {
  ActionTarget,
  CodeAction,
  CodePosition,
  CodeRange,
  CodeSymbol,
  ProposedEdits,
  SymbolRelation,
} from '../../../../src/extension/platform/languages.ts';

/** What the tests can ask of the extension API, by name. Arguments and results cross as JSON; paths are absolute. */
export interface Probes {
  executeCommand(command: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Opens a file in the editor, with the cursor at a place (both from 1). */
  openNotebook(path: string): Promise<void>;
  readNotebook(path: string): Promise<{
    readonly isDirty: boolean;
    readonly cells: readonly { readonly source: string; readonly outputs: number }[];
  }>;
  /** At the beginning of a cell, from 0. It stays unsaved. */
  typeInCell(path: string, index: number, text: string): Promise<void>;
  openFile(path: string, line?: number, character?: number): Promise<void>;
  /** What the editor holds, which may differ from the disk. */
  readDocument(path: string): Promise<ProbedDocument>;
  /** Changes a document the way typing does: it stays unsaved and can be undone. */
  insertText(path: string, line: number, text: string): Promise<void>;
  listEditors(): Promise<readonly ProbedEditor[]>;
  listTabs(): Promise<readonly ProbedTab[]>;
  listTerminals(): Promise<readonly ProbedTerminal[]>;
  readDiagnostics(path: string): Promise<readonly ProbedDiagnostic[]>;
  /** Asks Folio's own adapter of the language servers. */
  askLanguages(
    question: LanguageQuestion,
  ): Promise<
    readonly CodeSymbol[] | readonly CodeRange[] | readonly CodeAction[] | readonly string[] | ProposedEdits
  >;
  /** Whether a server has answered by now. */
  settleLanguages(): Promise<boolean>;
  /**
   * From now on problems are found as a language server finds them, late and in its own time for each file: after each
   * change of `main.txt`, one there and one in `user.txt`, both of which name the number in `main.txt`.
   * @param seed of the times, of which none is longer than `slowest` milliseconds
   */
  findProblemsLate(seed: number, slowest: number): Promise<void>;
  readExtension(id: string): Promise<ProbedExtension>;
  /** Activates Folio, and returns the commands and tools that the window knows then. */
  listRegistered(): Promise<{ readonly commands: readonly string[]; readonly tools: readonly string[] }>;
  /** Selects whole lines of a file in the editor, both from 1 and both included. */
  selectLines(path: string, first: number, last: number): Promise<void>;
  /**
   * The page that hands the window a link to an extension, such as `folio.folio/prompt?text=Hi`: in a browser it does
   * what the system does on a desktop.
   */
  linkAddress(rest: string): Promise<string>;
  /** Debugs a program that stops at once at an exception in line 2 of this file. */
  debugFailing(path: string): Promise<void>;
  /** Offers a test of this name in this file, runs it, and has it fail. */
  failTest(path: string, name: string): Promise<void>;
  /** Offers two tests in this file, `adds` which fails and `takes` which passes, inside of `sums`. */
  offerTests(path: string): Promise<void>;
  /** Ends the extension host without a word, as a crash does; VS Code starts another. */
  crash(): Promise<void>;
  /** A setting of the user, not of the folder; `null` takes it away. It counts once this returns. */
  writeSetting(name: string, value: unknown): Promise<void>;
  /** Closes all that is open and deletes the sessions: Folio rests without one, its panel closed. */
  clearWindow(): Promise<void>;
  /** Offers a language model to all extensions that reads this file and says what it holds. */
  offerLanguageModel(file: string): Promise<void>;
  /** What was asked of it, oldest first. */
  listModelRequests(): Promise<readonly ProbedModelRequest[]>;
  /** As another extension that goes away. */
  withdrawLanguageModel(): Promise<void>;
  /** Text of what a tool that VS Code knows answers; it may ask the user. */
  invokeTool(name: string, input: object): Promise<string>;
  listApiCases(): Promise<readonly string[]>;
  /** `null` when it passed, else why it failed. */
  runApiCase(name: string): Promise<string | null>;
}

export type LanguageQuestion =
  | { readonly kind: 'outline'; readonly path: string }
  | { readonly kind: 'declaring'; readonly name: string }
  | { readonly kind: 'follow'; readonly point: CodePosition; readonly relation: SymbolRelation }
  | { readonly kind: 'offer'; readonly place: ActionTarget }
  | { readonly kind: 'rename'; readonly point: CodePosition; readonly newName: string };

export interface ProbedDocument {
  readonly text: string;
  readonly isDirty: boolean;
  readonly languageId: string;
  readonly version: number;
}

export interface ProbedModelRequest {
  readonly tools: readonly string[];
  /** 1: the user, 2: the assistant. */
  readonly roles: readonly number[];
  /** Ids of the calls in the history. */
  readonly calls: readonly string[];
}

export interface ProbedEditor {
  readonly uri: string;
  readonly isActive: boolean;
}

export interface ProbedTab {
  readonly label: string;
  readonly kind: 'text' | 'diff' | 'other';
  readonly isActive: boolean;
  readonly group: number;
}

export interface ProbedTerminal {
  readonly name: string;
  readonly exitCode?: number;
}

export interface ProbedDiagnostic {
  readonly message: string;
  readonly line: number;
  readonly severity: number;
}

export interface ProbedExtension {
  readonly isInstalled: boolean;
  readonly isActive: boolean;
  readonly appRoot: string;
  readonly vscodeVersion: string;
  readonly isTrusted: boolean;
}

export type ProbeName = keyof Probes;
export type ProbeArgs<K extends ProbeName> = Parameters<Probes[K]>;
export type ProbeResult<K extends ProbeName> = Awaited<ReturnType<Probes[K]>>;

/** One request that waits for the extension. */
export interface ProbeCall {
  readonly callId: string;
  readonly name: ProbeName;
  readonly args: readonly unknown[];
}

export type ProbeAnswer =
  | { readonly callId: string; readonly status: 'ok'; readonly value: unknown }
  | { readonly callId: string; readonly status: 'failed'; readonly message: string };

/** Names the address that the extension asks for work; it is set for the server's processes. */
export const probeAddressVariable = 'FOLIO_PROBE_ADDRESS';
