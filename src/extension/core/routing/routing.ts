/*
 * Selects a session's model at the start of a turn and after a failure.
 *
 *   turn begins ─► route ─► steps … ─► a step fails for good
 *                    ▲                      │ a fallback is named    ─► the fallback, until the turn ends
 *                    │                      │ transient, auto        ─► the next model, silently
 *                    │                      │ a user is there       ─► asked ─► retry, switch, stop, later
 *                    └── the next model ◄───┘ nobody, or no next one  ─► the turn fails
 *
 * A route holds for its turn, including a retry, whatever the user selects meanwhile.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { autoModel, type FallbackDecision, type ModelFailureKind } from '../../../protocol/routing.ts';
import type { ModelQuestionContext } from '../answers/ask.ts';
import { ModelError } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { Transcript } from '../recording/transcript.ts';
import { classifyPrompt, maxClassifyMs, type RouteVerdict } from './classifier.ts';
import { failureKind } from './failure.ts';
import { attemptsFor, fallbackAction } from './fallbackPolicy.ts';
import { currentTurnModel, fallbackCandidates, type ModelRoles, sideModel } from './modelRoles.ts';
import type { ModelServices } from './modelServices.ts';
import { findRoute, type ModelRoute } from './router.ts';

/** How a turn continues after its model failed. */
export type AfterFailure = 'again' | 'stop' | 'fail';

/** Why a turn must not begin. */
type NoRoute = { readonly kind: 'stopped' } | { readonly kind: 'failed'; readonly error: ModelError };

interface RunningTurn {
  readonly id: string;
  readonly signal: AbortSignal;
  /** Folio chose the model, even if a user selects one during the turn. */
  readonly isAuto: boolean;
  readonly chain: ModelRoles;
  readonly route: ModelRoute;
}

export class Routing {
  private readonly ports: ModelQuestionContext['ports'] & { readonly models: ModelServices };
  private readonly models: ModelServices;
  private readonly transcript: Transcript;
  private readonly policy: Pick<Policy, 'interactive'>;
  private running: RunningTurn | undefined;
  /** A retry of the newest turn keeps its route, unless the user chose another model. */
  private keepsRoute = false;
  private goesOn = false;
  /** Models that failed in the running turn. */
  private readonly failed = new Set<string>();
  private readonly decision = new PendingDecision();

  /** @param policy tells whether a user can be asked */
  constructor(ports: Routing['ports'], transcript: Transcript, policy: Pick<Policy, 'interactive'>) {
    this.ports = ports;
    this.models = ports.models;
    this.transcript = transcript;
    this.policy = policy;
    transcript.addFold(event => this.fold(event));
  }

  private fold(event: SessionEvent): void {
    switch (event.type) {
      case 'turn.started':
        this.keepsRoute = false;
        this.goesOn = false;
        return;
      case 'turn.retried':
        this.goesOn = true;
        return;
      case 'model.changed':
        this.keepsRoute = false;
        return;
      case 'model.routed':
        this.keepsRoute = true;
        return;
    }
  }

  /** The model that works, or would. */
  get working(): string {
    return this.running?.route.model ?? currentTurnModel(this.transcript.state, this.models.chain());
  }

  /** The model for questions outside the conversation. */
  get side(): string {
    return sideModel(this.working, this.models.chain(), this.models.availability);
  }

  /** Returns the model that answers such questions after a failure; undefined: none. */
  insteadOf(model: string, error: ModelError): string | undefined {
    const kind = failureKind(error);
    if (!kind || model === this.working) return undefined;
    this.models.availability.markOut(model, kind, error);
    return this.working;
  }

  /** Selects the model of a new turn. `undefined`: it can continue. */
  async begin(id: string, signal: AbortSignal): Promise<NoRoute | undefined> {
    this.failed.clear();
    this.running = undefined;
    try {
      return await this.choose(id, signal);
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      if (error instanceof ModelError) return { kind: 'failed', error };
      throw error;
    }
  }

  end(): void {
    this.running = undefined;
  }

  attempts(): number {
    const most = this.ports.limits.current.maxAttempts;
    if (!this.running) return most;
    const { isAuto, chain, route } = this.running;
    const { status } = this.models.availability.healthOf(route.model);
    return attemptsFor({
      most,
      isAuto,
      isCovered: this.isCovered(this.running),
      isStrong: route.model === chain.strong,
      isShaky: status === 'shaky',
      hasNext: this.findNext(this.running) !== undefined,
    });
  }

  answered(model: string): void {
    this.models.availability.markHealthy(model);
  }

  /** Call after all attempts of a request failed. Marks the model and may ask the user. */
  async afterFailure(error: ModelError, model: string): Promise<AfterFailure> {
    const turn = this.running;
    const kind = failureKind(error);
    // A hook may have selected another model, which is not ours to replace.
    if (!turn || !kind || model !== turn.route.model) return 'fail';
    const { availability } = this.models;
    this.failed.add(model);
    if (this.isSoonTried(turn, kind, error)) availability.markShaky(model);
    else availability.markOut(model, kind, error);
    const next = this.findNext(turn);
    if (next === undefined) return 'fail';
    const { interactive } = this.policy;
    const isNamed = next === turn.chain.fallback;
    switch (fallbackAction(kind, { isAuto: turn.isAuto, isNamed, interactive })) {
      case 'fail':
        return 'fail';
      case 'switch':
        this.takeOver(turn, next, kind);
        return 'again';
      case 'ask':
        return this.askUser(turn, next, kind, error.message);
    }
  }

  /**
   * True if the next turn should try it again. With a fallback an attempt costs little, so a used-up quota only counts
   * as long as the provider reports.
   */
  private isSoonTried(turn: RunningTurn, kind: ModelFailureKind, { retryAfterMs }: ModelError): boolean {
    if (kind === 'transient') return turn.isAuto || this.isCovered(turn);
    return kind === 'terminal' && retryAfterMs === undefined && this.isCovered(turn);
  }

  /** The user configured a fallback for this model. */
  private isCovered({ route, chain: { fallback } }: RunningTurn): boolean {
    return (
      fallback !== undefined && route.model !== fallback && this.models.availability.isAvailable(fallback)
    );
  }

  /** Returns false if no decision is pending. */
  decide(decision: FallbackDecision): boolean {
    return this.decision.settle(decision);
  }

  private async choose(id: string, signal: AbortSignal): Promise<NoRoute | undefined> {
    const isAuto = this.transcript.state.model === autoModel;
    const { chain, isUnnamed } = isAuto
      ? await this.findChain(signal)
      : { chain: this.models.chain(), isUnnamed: false };
    const route = await this.route(chain, signal);
    if (signal.aborted) return { kind: 'stopped' };
    this.running = { id, signal, isAuto, chain, route };
    if (!isAuto) return this.replaceBefore(this.running);
    this.emitRoute(isUnnamed && route.by === 'default' ? { ...route, reason: firstListed() } : route);
    return undefined;
  }

  /** A retried turn keeps its model, which the user wants to try again, unless the provider has changed. */
  private route(chain: ModelRoles, signal: AbortSignal): Promise<ModelRoute> | ModelRoute {
    const { availability } = this.models;
    const { model: choice, mode, plan, routed } = this.transcript.state;
    if (this.goesOn && this.keepsRoute && routed && choice === autoModel) {
      const { model, by, reason } = routed;
      if (fallbackCandidates(chain.strong, chain).includes(model)) return { model, by, reason };
    }
    return findRoute({
      choice,
      mode,
      plan,
      chain,
      isAvailable: model => availability.isAvailable(model),
      classify: () => this.loopCheckPrompt(chain, signal),
    });
  }

  private async loopCheckPrompt(chain: ModelRoles, signal: AbortSignal): Promise<RouteVerdict | undefined> {
    const { ports, transcript, models } = this;
    return classifyPrompt(
      {
        model: sideModel(chain.fast, chain, models.availability),
        prompt: transcript.prompt,
        // The last message is the prompt with its context.
        before: transcript.history.messages.slice(0, -1),
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxClassifyMs)]),
      },
      { ports, transcript, routing: this },
    );
  }

  /** If no model is named, `auto` uses the first that the provider lists. */
  private async findChain(signal: AbortSignal): Promise<{ chain: ModelRoles; isUnnamed: boolean }> {
    const chain = this.models.chain();
    if (chain.strong !== '') return { chain, isUnnamed: false };
    const [first] = await this.models.provider().listModels(signal);
    if (!first) throw new ModelError('notFound', nothingListed, { retryable: false });
    return { chain: { ...chain, strong: first.id, fast: chain.fast || first.id }, isUnnamed: true };
  }

  /** Asks before sending anything to a chosen model that is known to be unavailable. */
  private async replaceBefore(turn: RunningTurn): Promise<NoRoute | undefined> {
    const { availability } = this.models;
    const { model } = turn.route;
    const health = availability.healthOf(model);
    if (health.status !== 'out' || this.goesOn) return undefined;
    if (this.isCovered(turn) && health.kind !== 'notFound' && health.kind !== 'unknown') {
      this.takeOver(turn, turn.chain.fallback!, health.kind);
      return undefined;
    }
    if (!this.policy.interactive) return undefined;
    const next = fallbackCandidates(model, turn.chain).find(name => availability.isAvailable(name));
    if (next === undefined) return undefined;
    const { kind, error } = health;
    const after = await this.askUser(turn, next, kind, error.message);
    if (after === 'stop') return { kind: 'stopped' };
    return after === 'fail' ? { kind: 'failed', error } : undefined;
  }

  private findNext({ route, chain }: RunningTurn): string | undefined {
    const { availability } = this.models;
    return fallbackCandidates(route.model, chain).find(
      model => model !== route.model && !this.failed.has(model) && availability.isAvailable(model),
    );
  }

  private async askUser(
    turn: RunningTurn,
    candidate: string,
    kind: ModelFailureKind,
    message: string,
  ): Promise<AfterFailure> {
    const { transcript, ports } = this;
    const { emit } = transcript;
    const { availability } = this.models;
    const { model } = turn.route;
    const decided = this.decision.wait(turn.signal);
    const askId = ports.clock.newId();
    emit({ type: 'model.asked', turnId: turn.id, failure: { askId, model, kind, message, candidate } });
    const decision = await decided;
    emit({ type: 'model.decided', turnId: turn.id, decision });
    switch (decision) {
      case 'retry':
        availability.markHealthy(model);
        this.failed.delete(model);
        return 'again';
      case 'switch':
        // The user's own choice during the turn stands.
        if (!turn.isAuto && transcript.state.model === model)
          emit({ type: 'model.changed', model: candidate });
        this.takeOver(turn, candidate, kind);
        return 'again';
      case 'upgrade':
        // After an upgrade, the next prompt may use the model.
        availability.markHealthy(model);
        emit({ type: 'notice.shown', level: 'info', text: await this.models.describeUpgrade(model) });
        return 'stop';
      case 'stop':
        return 'stop';
      case 'later':
        return 'fail';
    }
  }

  private takeOver(turn: RunningTurn, model: string, kind: ModelFailureKind): void {
    const route: ModelRoute = { model, by: 'fallback', reason: whatHappened(kind, turn.route.model) };
    this.running = { ...turn, route };
    this.emitRoute(route);
  }

  private emitRoute(route: ModelRoute): void {
    const { id: turnId } = this.running!;
    this.transcript.emit({ type: 'model.routed', turnId, ...route });
  }
}

function whatHappened(kind: ModelFailureKind, model: string): string {
  switch (kind) {
    case 'terminal':
      return t('{0} has no quota left for now.', model);
    case 'transient':
      return t('{0} is busy.', model);
    case 'notFound':
      return t('{0} is not offered by the provider.', model);
    case 'unknown':
      return t('{0} failed for an unknown reason.', model);
  }
}

const firstListed = () =>
  t(
    '"auto" uses the first model that the provider lists. Choose others with the settings folio.auto.strongModel and folio.auto.fastModel.',
  );

const nothingListed = () =>
  t(
    'The provider lists no model for "auto". Set folio.auto.strongModel, or choose a model with "Folio: Select Model".',
  );

/** The pending question to a user about a failed model; only one at a time. */
class PendingDecision {
  private answer: ((decision: FallbackDecision) => void) | undefined;

  /** Can be answered once this returns. Stopping the turn counts as a decision. Never rejects. */
  async wait(signal: AbortSignal): Promise<FallbackDecision> {
    if (signal.aborted) return 'stop';
    let stop = () => {};
    const decided = new Promise<FallbackDecision>(resolve => {
      this.answer = resolve;
      stop = () => resolve('stop');
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await decided;
    } finally {
      this.answer = undefined;
      signal.removeEventListener('abort', stop);
    }
  }

  /** Returns false if no question is pending. */
  settle(decision: FallbackDecision): boolean {
    const { answer } = this;
    this.answer = undefined;
    answer?.(decision);
    return answer !== undefined;
  }
}
