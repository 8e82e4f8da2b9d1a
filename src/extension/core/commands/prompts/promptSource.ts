import type { Blob } from '../../../../protocol/events.ts';

export interface ServerPrompts {
  /** Prompts known now. */
  list(): readonly ServerPrompt[];
  /** Rejects with a sentence. */
  get(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PromptText>;
}

export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface PromptText {
  readonly text: string;
  readonly blobs: readonly Blob[];
}
