/*
 * Folio's port to the language models that VS Code offers, free of VS Code's types. The real one is
 * vscodeLanguageModels.ts.
 */

import type { ToolDeclaration } from '../../core/model.ts';

export interface LanguageModels {
  /** Models that other extensions offer now. May start these extensions. May reject. */
  list(): Promise<readonly LanguageModel[]>;
}

export interface LanguageModel {
  readonly vendor: string;
  /** Names it among those of the vendor. */
  readonly id: string;
  readonly name: string;
  /** Tokens that fit into one request. */
  readonly maxInputTokens: number;
  /** `undefined`: VS Code does not say. */
  readonly callsTools: boolean | undefined;
  readonly seesPictures: boolean | undefined;
  /**
   * Sends when iteration begins, which may show VS Code's own question for consent. Throws VS Code's errors. A caller
   * that leaves the iteration early aborts the signal as well.
   */
  send(request: ChatRequest, signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** By the model's own measure. May reject, and may never settle. */
  countTokens(text: string): Promise<number>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly mustCall: boolean;
  readonly temperature: number | undefined;
}

/** There is no role for the system. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly ChatPart[];
}

export type ChatPart =
  | ContentPart
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'result'; readonly id: string; readonly content: readonly ContentPart[] };

export type ContentPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array };

/** Parts of other kinds are left out. */
export type AnswerPart =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  /** `input` is what the other extension made of the arguments. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown };
