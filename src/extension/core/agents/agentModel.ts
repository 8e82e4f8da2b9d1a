import type { ExclusiveWork } from '../calls/calling.ts';
import type { ModelError } from '../model.ts';
import type { AfterFailure } from '../routing/routing.ts';
import type { Sender } from './sender.ts';

/** A stretch of an agent's work: until when, beside whom, and with what. */
export interface Stretch {
  readonly signal: AbortSignal;
  readonly beside: ExclusiveWork;
  /** Steps in all, those before it included. */
  readonly maxSteps: number;
  /** Only to hand in what there is. */
  readonly isGrace: boolean;
}

/**
 * The model that an agent works with: one of its own, where its kind names one, else the session's. The session's is
 * shared, so what becomes of it after a failure is decided once for all agents.
 */
export class AgentModel {
  private readonly own: string | undefined;
  private readonly sender: Pick<Sender, 'routing' | 'turns' | 'conversation'>;
  private readonly stretch: () => Stretch;
  /** The model of the newest request, before hooks saw it. */
  private asked = '';

  /**
   * @param own an id, or what stands for one
   * @param stretch the one that runs
   */
  constructor(
    own: string | undefined,
    sender: Pick<Sender, 'routing' | 'turns' | 'conversation'>,
    stretch: () => Stretch,
  ) {
    this.own = own;
    this.sender = sender;
    this.stretch = stretch;
  }

  get working(): string {
    const { routing, conversation } = this.sender;
    return this.own === undefined ? routing.working : conversation.ports.models.resolve(this.own);
  }

  get side(): string {
    return this.sender.routing.side;
  }

  insteadOf(model: string, error: ModelError): string | undefined {
    return this.sender.routing.insteadOf(model, error);
  }

  /** The agent is about to ask this model. */
  noteAsked(model: string): void {
    this.asked = model;
  }

  attempts(): number {
    const { routing, conversation } = this.sender;
    return this.own === undefined ? routing.attempts() : conversation.ports.limits.current.maxAttempts;
  }

  answered(model: string): void {
    this.sender.routing.answered(model);
  }

  async afterFailure(error: ModelError, model: string): Promise<AfterFailure> {
    if (this.own !== undefined) return 'fail';
    const { signal, beside } = this.stretch();
    try {
      return await beside.ask(() => this.decideForAll(error, model));
    } catch (failure) {
      if (signal.aborted) return 'stop';
      throw failure;
    }
  }

  private async decideForAll(error: ModelError, model: string): Promise<AfterFailure> {
    const { routing, turns } = this.sender;
    // Another agent met the same problem, and somebody took over.
    if (routing.working !== this.asked) return 'again';
    const after = await routing.afterFailure(error, model);
    if (after === 'stop') void turns.stop();
    return after;
  }
}
