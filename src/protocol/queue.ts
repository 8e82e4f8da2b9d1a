/* Prompts that were sent while the agent works. */

import type { Attachment } from './events.ts';

export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** `steer`: the model reads it before its next step; `next`: it starts a turn of its own. */
  readonly when: 'steer' | 'next';
  /** What the model reads in place of the text. */
  readonly wording?: string;
}

export interface PromptQueued {
  readonly type: 'prompt.queued';
  readonly prompt: QueuedPrompt;
}

/** A person changed a waiting prompt. */
export interface PromptChanged {
  readonly type: 'prompt.changed';
  readonly prompt: QueuedPrompt;
}

/**
 * It waits no longer: told to the model in the turn that runs, or removed. One that is sent leaves with its
 * `turn.started`, so that a crash can neither lose it nor send it twice.
 */
export interface PromptUnqueued {
  readonly type: 'prompt.unqueued';
  readonly id: string;
  readonly because: 'steered' | 'removed';
}
