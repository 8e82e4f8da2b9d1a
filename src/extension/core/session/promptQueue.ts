/*
 * Prompts that were sent while the agent works. The queue itself is part of the session's state and so of the journal;
 * here is who may change it, and when a prompt leaves it:
 *
 *   queued ─► (changed …) ─► claimed ─► turn.started: it waits no longer
 *        │                └► steered into the turn that runs
 *        └─► removed
 *
 * Between being claimed and the start of its turn a prompt can be neither changed nor removed: it is on its way.
 */

import type { QueuedPrompt } from '../../../protocol/events.ts';
import { ownCommandOf } from '../../../protocol/words/ownCommand.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transcript } from '../recording/transcript.ts';

export class PromptQueue {
  private readonly transcript: Pick<Transcript, 'state' | 'emit'>;
  private readonly clock: Pick<Clock, 'newId'>;
  private claimed: string | undefined;

  constructor(transcript: Pick<Transcript, 'state' | 'emit'>, clock: Pick<Clock, 'newId'>) {
    this.transcript = transcript;
    this.clock = clock;
  }

  /** It waits, and is not on its way. */
  has(id: string): boolean {
    return this.find(id) !== undefined;
  }

  add(prompt: Omit<QueuedPrompt, 'id'>): QueuedPrompt {
    const queued = { id: this.clock.newId(), ...prompt };
    this.transcript.emit({ type: 'prompt.queued', prompt: queued });
    return queued;
  }

  /** False when it waits no longer. */
  change({ id, text, attachments, when }: Omit<QueuedPrompt, 'wording' | 'command' | 'ahead'>): boolean {
    const known = this.find(id);
    if (!known) return false;
    // Other words for the model hold only as long as the user's stay as they were.
    const wording = known.text === text ? known.wording : undefined;
    const command = ownCommandOf(text) === undefined ? undefined : true;
    this.transcript.emit({
      type: 'prompt.changed',
      prompt: { id, text, attachments, when, wording, command, ahead: known.ahead },
    });
    return true;
  }

  /** @param ahead so many wait for a free place before it; absent: it waits for none */
  setAhead(id: string, ahead: number | undefined): void {
    const known = this.find(id);
    if (known && known.ahead !== ahead)
      this.transcript.emit({ type: 'prompt.changed', prompt: { ...known, ahead } });
  }

  /** False when it waits no longer. */
  remove(id: string): boolean {
    if (!this.find(id)) return false;
    this.transcript.emit({ type: 'prompt.unqueued', id, because: 'removed' });
    return true;
  }

  /** The prompt, which the caller now starts a turn with; `undefined` when it waits no longer. */
  claim(id: string | undefined = this.transcript.state.queue[0]?.id): QueuedPrompt | undefined {
    const prompt = id === undefined ? undefined : this.find(id);
    if (prompt) this.claimed = prompt.id;
    return prompt;
  }

  /** Its turn is over, or never began: what still waits can be changed, removed and sent again. */
  release(id: string): void {
    if (this.claimed === id) this.claimed = undefined;
  }

  /** The next that the model is to read in the turn that runs; it waits no longer. */
  takeSteering(): QueuedPrompt | undefined {
    const { state, emit } = this.transcript;
    const prompt = state.queue.find(({ when }) => when === 'steer');
    if (prompt) emit({ type: 'prompt.unqueued', id: prompt.id, because: 'steered' });
    return prompt;
  }

  private find(id: string): QueuedPrompt | undefined {
    if (id === this.claimed) return undefined;
    return this.transcript.state.queue.find(prompt => prompt.id === id);
  }
}
