/*
 * Prompts sent while the agent works. The queue is part of the session's state and journal. This class decides who may
 * change it and when a prompt leaves it:
 *
 *   queued ─► (changed …) ─► claimed ─► turn.started: it waits no longer
 *                │                └► steered into the turn that runs
 *                └─► removed
 *
 * A claimed prompt can be neither changed nor removed until its turn starts.
 */

import type { QueuedPrompt } from '../../../protocol/events.ts';
import { userCommandOf } from '../../../protocol/words/userCommand.ts';
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

  /** True if it waits and is not claimed. */
  has(id: string): boolean {
    return this.find(id) !== undefined;
  }

  add(prompt: Omit<QueuedPrompt, 'id'>): QueuedPrompt {
    const queued = { id: this.clock.newId(), ...prompt };
    this.transcript.emit({ type: 'prompt.queued', prompt: queued });
    return queued;
  }

  /** Returns false if it no longer waits. */
  change({ id, text, attachments, when }: Omit<QueuedPrompt, 'wording' | 'command' | 'ahead'>): boolean {
    const known = this.find(id);
    if (!known) return false;
    // A separate wording for the model is only valid for the unchanged text.
    const wording = known.text === text ? known.wording : undefined;
    const command = userCommandOf(text) === undefined ? undefined : true;
    this.transcript.emit({
      type: 'prompt.changed',
      prompt: { id, text, attachments, when, wording, command, ahead: known.ahead },
    });
    return true;
  }

  /** @param ahead number of prompts before it in the line; absent: it is not in the line */
  setAhead(id: string, ahead: number | undefined): void {
    const known = this.find(id);
    if (known && known.ahead !== ahead)
      this.transcript.emit({ type: 'prompt.changed', prompt: { ...known, ahead } });
  }

  /** Returns false if it no longer waits. */
  remove(id: string): boolean {
    if (!this.find(id)) return false;
    this.transcript.emit({ type: 'prompt.unqueued', id, because: 'removed' });
    return true;
  }

  /** Claims a prompt for a turn that the caller starts; `undefined` if it no longer waits. */
  claim(id: string | undefined = this.transcript.state.queue[0]?.id): QueuedPrompt | undefined {
    const prompt = id === undefined ? undefined : this.find(id);
    if (prompt) this.claimed = prompt.id;
    return prompt;
  }

  /** Releases a claim after the turn ended or did not start. */
  release(id: string): void {
    if (this.claimed === id) this.claimed = undefined;
  }

  /** Removes and returns the next prompt for the running turn. */
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
