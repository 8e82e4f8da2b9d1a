import type { ExclusiveAccess } from '../calls/calling.ts';
import type { ModelError } from '../model.ts';
import type { AfterFailure } from '../routing/routing.ts';
import type { ParentSession } from './parentSession.ts';

/** Limits of one part of an agent's work. */
export interface AgentPhaseLimits {
  readonly signal: AbortSignal;
  readonly beside: ExclusiveAccess;
  /** Total number of steps, including earlier parts. */
  readonly maxSteps: number;
  /** The part only serves to report. */
  readonly isGrace: boolean;
}

/**
 * Routing of one agent: uses the model that its definition names, else the session's. That one is shared, so a
 * fallback after a failure is chosen once for all agents.
 */
export class AgentModelRouting {
  private readonly own: string | undefined;
  private readonly sender: Pick<ParentSession, 'routing' | 'turns' | 'conversation'>;
  private readonly stretch: () => AgentPhaseLimits;
  /** The model of the latest request, before changes by hooks. */
  private asked = '';

  /**
   * @param own id or alias of a model
   * @param stretch returns the current part
   */
  constructor(
    own: string | undefined,
    sender: Pick<ParentSession, 'routing' | 'turns' | 'conversation'>,
    stretch: () => AgentPhaseLimits,
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

  /** Call before a request to this model. */
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
    // Another agent had the same error, and the model was replaced.
    if (routing.working !== this.asked) return 'again';
    const after = await routing.afterFailure(error, model);
    if (after === 'stop') void turns.stop();
    return after;
  }
}
