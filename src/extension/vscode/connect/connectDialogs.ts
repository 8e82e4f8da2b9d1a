import type { ApiKeyName } from '../../platform/secrets.ts';

/** Questions only for the user, in VS Code's input boxes: nothing typed there passes through the panel. */
export interface ConnectDialogs {
  askKey(question: KeyQuestion, signal: AbortSignal): Promise<KeyAnswer>;
  /** Resolves with `undefined` if the user left. */
  askText(question: TextQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Types the command into a terminal without running it. */
  openTerminal(command: string): void;
  /** Searches the extension marketplace. */
  findExtensions(query: string): Promise<void>;
}

export interface KeyQuestion {
  /** The key's owner, within a sentence. */
  readonly of: string;
  /** Returns whether a key in this owner's format is not valid here. */
  readonly belongsElsewhere: (owner: ApiKeyName) => boolean;
  /** Returns a sentence if the key cannot be used. */
  readonly tryKey: (key: string, signal: AbortSignal) => Promise<string | undefined>;
}

export type KeyAnswer =
  /** `problem`: why the key does not work, although the user wants to save it. */
  | { readonly kind: 'key'; readonly key: string; readonly problem?: string }
  /** The key belongs to this owner, and the user wants to use it there. */
  | { readonly kind: 'misplaced'; readonly owner: ApiKeyName; readonly key: string }
  /** `problem`: of the key that was tried last. */
  | { readonly kind: 'left'; readonly problem?: string };

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** Returns a sentence if the text is invalid. */
  readonly validateInput: (text: string) => string | undefined;
}
