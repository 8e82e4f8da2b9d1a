import type { SecretName } from '../../platform/secrets.ts';

/**
 * Questions that only the user can answer, in VS Code's own boxes: nothing that they type there passes through the
 * panel.
 */
export interface ConnectQuestions {
  askKey(question: KeyQuestion, signal: AbortSignal): Promise<KeyAnswer>;
  /** `undefined`: left. */
  askText(question: TextQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Types the command into a terminal, where the user can run it. */
  openTerminal(command: string): void;
  /** Shows what extensions there are. */
  findExtensions(query: string): Promise<void>;
}

export interface KeyQuestion {
  /** The key's owner, as it reads in a sentence. */
  readonly of: string;
  /** A key that looks like one of this owner is no key for here. */
  readonly belongsElsewhere: (owner: SecretName) => boolean;
  /** Gives a sentence when the key cannot be used. */
  readonly tryKey: (key: string, signal: AbortSignal) => Promise<string | undefined>;
}

export type KeyAnswer =
  /** `tried`: it works; otherwise the user wants it kept all the same. */
  | { readonly kind: 'key'; readonly key: string; readonly tried: boolean }
  /** It belongs to this owner, and the user wants to use it there. */
  | { readonly kind: 'misplaced'; readonly owner: SecretName; readonly key: string }
  /** `problem`: of the key that was tried last. */
  | { readonly kind: 'left'; readonly problem?: string };

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** Gives a sentence when the text cannot be what was asked for. */
  readonly findFault: (text: string) => string | undefined;
}
