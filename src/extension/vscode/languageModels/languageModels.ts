/* Port to the language models that VS Code offers, without VS Code's types. Implemented by vscodeLanguageModels.ts. */

import type { ToolDeclaration } from '../../core/model.ts';

export interface LanguageModels {
  /** Lists the models that other extensions offer now. May activate these extensions. May reject. */
  list(): Promise<readonly LanguageModel[]>;
}

export interface LanguageModel {
  readonly vendor: string;
  /** Unique within the vendor. */
  readonly id: string;
  readonly name: string;
  /** Tokens that fit into one request. */
  readonly maxInputTokens: number;
  /** `undefined` if VS Code does not say. */
  readonly callsTools: boolean | undefined;
  readonly seesPictures: boolean | undefined;
  /**
   * Sends the request when iteration begins, which may show VS Code's own consent dialog. Throws VS Code's errors.
   * Callers that leave the iteration early must also abort the signal.
   */
  send(request: LanguageModelRequest, signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** By the model's own tokenizer. May reject, and may never settle. */
  countTokens(text: string): Promise<number>;
}

export interface LanguageModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly mustCall: boolean;
  readonly temperature: number | undefined;
}

/** There is no system role. */
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
  /** `input` is the other extension's parse of the arguments. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown };
