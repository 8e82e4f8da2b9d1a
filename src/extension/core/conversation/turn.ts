/*
 * One turn: answers and calls in alternation until the model stops, the user stops it, a limit is reached, the work
 * repeats itself, or an error occurs.
 */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { Message, TurnEnd, Usage } from '../../../protocol/events.ts';
import { plural, t } from '../../../protocol/language.ts';
import type { Failure } from '../../../protocol/values.ts';
import { runStep, type StepResult } from '../answers/step.ts';
import type { CallServices } from '../calls/calling.ts';
import { correctToolNames } from '../calls/correctToolNames.ts';
import { runCalls } from '../calls/scheduler.ts';
import { makeFailure } from '../failure.ts';
import { callsOf } from '../history/history.ts';
import type { LoopFinding } from '../loops/loopWatch.ts';
import type { ModelEnd, ModelError, ModelRequest } from '../model.ts';
import type { Conversation } from './conversation.ts';

/** Hooks of a session or a subagent into its turn. An absent function does nothing. */
export interface TurnDelegate {
  readonly calls: CallServices;
  /** Steps already taken, if the turn continues. */
  readonly stepsBefore?: number;
  /** Checked before each step. Warns the user when a budget is almost used up. */
  readonly findReachedBudget: () => ReachedBudget | undefined | Promise<ReachedBudget | undefined>;
  /** Adds messages of the user to the history before the next step. */
  readonly steer?: (signal: AbortSignal) => Promise<void>;
  /** Changes each request before it is measured. */
  readonly adjust?: (request: ModelRequest) => ModelRequest;
  /** Resolves when the user wants to retry immediately. */
  readonly untilRetryNow?: () => Promise<void>;
  /** After an answer without calls: tells whether the model should continue without new input. */
  readonly goesOn?: (answer: Message, signal: AbortSignal) => Promise<boolean>;
  /** After results of calls: tells whether one of them ended the work. */
  readonly isDone?: () => boolean;
}

type Tried =
  | Exclude<StepResult, { kind: 'answered' }>
  /** The answer, with the request of the model that finally gave it. */
  | { readonly kind: 'answered'; readonly end: AnsweredEnd; readonly request: ModelRequest }
  /** The fallback model cannot be asked. */
  | { readonly kind: 'blocked'; readonly failure: Failure };

type AnsweredEnd = Extract<ModelEnd, { ok: true }>;

export class Turn {
  private readonly conversation: Conversation;
  private readonly delegate: TurnDelegate;
  private readonly signal: AbortSignal;

  constructor(conversation: Conversation, delegate: TurnDelegate, signal: AbortSignal) {
    this.conversation = conversation;
    this.delegate = delegate;
    this.signal = signal;
  }

  /** Rejects only for bugs, never for errors of the model or a tool. Leaves a valid history. */
  async run(): Promise<TurnEnd> {
    const { stepsBefore = 0, findReachedBudget, steer } = this.delegate;
    for (let number = stepsBefore + 1; ; number++) {
      const budget = await findReachedBudget();
      if (budget) return { kind: 'budget', budget };
      await steer?.(this.signal);
      const end = await this.takeStep(number);
      if (end) return end;
    }
  }

  /** Returns `undefined` if there is more to do. */
  private async takeStep(number: number): Promise<TurnEnd | undefined> {
    const { transcript, ports } = this.conversation;
    const stepId = ports.clock.newId();
    const request = await this.conversation.nextRequest(this.delegate.adjust, this.signal);
    if (this.signal.aborted) return { kind: 'stopped' };
    if ('kind' in request) return { kind: 'failed', trouble: request };
    transcript.emit({ type: 'step.started', stepId, number, model: request.model });
    const result = await this.tryModels(request, stepId);
    switch (result.kind) {
      case 'stopped':
        if (result.partial) this.addText('model', result.partial);
        return { kind: 'stopped' };
      case 'failed':
        return { kind: 'failed', trouble: failureOf(result.error) };
      case 'blocked':
        return { kind: 'failed', trouble: result.failure };
      case 'repeating':
        return this.cutAnswer(result.partial, stepId);
      case 'answered':
        return this.takeAnswer(result.end, result.request, stepId);
    }
  }

  /** A fallback model gets a new request, since limit, prompt and hooks may differ. */
  private async tryModels(first: ModelRequest, stepId: string): Promise<Tried> {
    const { conversation, signal } = this;
    const { routing, transcript, loops, ports, requests } = conversation;
    const stepping = {
      clock: ports.clock,
      loops,
      emit: transcript.emit,
      untilRetryNow: this.delegate.untilRetryNow,
      maxAttempts: () => routing.attempts(),
    };
    let request = first;
    for (let tried = 0; ; ) {
      requests.sending(request);
      const result = await runStep(conversation.provider(), request, stepId, stepping, tried);
      if (result.kind === 'answered') {
        routing.answered(request.model);
        return { ...result, request };
      }
      if (result.kind !== 'failed') return result;
      const { model } = request;
      const after = await routing.afterFailure(result.error, model);
      if (after === 'fail') return result;
      if (after === 'stop') return { kind: 'stopped', partial: '' };
      tried = result.tried;
      const next = await conversation.nextRequest(this.delegate.adjust, signal);
      if (signal.aborted) return { kind: 'stopped', partial: '' };
      if ('kind' in next) return { kind: 'blocked', failure: next };
      const reason = result.error.say();
      const maxAttempts = tried + routing.attempts();
      const attempt = { attempt: tried + 1, maxAttempts, delayMs: 0 };
      const other = next.model === model ? undefined : next.model;
      transcript.emit({ type: 'step.retried', stepId, reason, model: other, ...attempt });
      request = next;
    }
  }

  private async takeAnswer(
    { message: answer, usage, finish, cut, paused, citations }: AnsweredEnd,
    request: ModelRequest,
    stepId: string,
  ): Promise<TurnEnd | undefined> {
    const { conversation, delegate, signal } = this;
    const { transcript, compressions, loops } = conversation;
    const { caller, clock } = delegate.calls;
    const meant = correctToolNames(answer, caller.tools, () => clock.newId());
    const message = conversation.withOwnIds(meant);
    transcript.emit({ type: 'message.added', message });
    if (usage) compressions.estimator.learn(request, usage);
    const spent = usage && this.countSpending(request, usage);
    transcript.emit({ type: 'step.ended', stepId, usage, ...spent, finish, citations });
    const calls = callsOf(message);
    // The service continues a paused answer when it gets it back unchanged.
    if (calls.length === 0 && paused) return undefined;
    if (calls.length === 0 && cut) return { kind: 'failed', trouble: cutProblem(usage) };
    if (calls.length === 0)
      return (await delegate.goesOn?.(message, signal)) ? undefined : { kind: 'rested' };
    const results = await runCalls(calls, stepId, delegate.calls, signal);
    transcript.say(results);
    if (signal.aborted) return { kind: 'stopped' };
    delegate.calls.caller.hooks?.throwIfStopped();
    if (delegate.isDone?.()) return { kind: 'rested' };
    for (const [at, call] of calls.entries()) loops.addCall(call, results[at]!.text);
    const finding = await loops.endStep();
    if (signal.aborted) return { kind: 'stopped' };
    return finding && this.answerLoop(finding);
  }

  private countSpending(request: ModelRequest, usage: Usage) {
    const { ports, transcript, cacheWatch } = this.conversation;
    const { models } = ports;
    const cost = models.costOf(request.model, usage);
    const uncached = models.costOf(request.model, { ...usage, cached: 0, written: 0 });
    const saved = cost === undefined || uncached === undefined ? undefined : uncached - cost;
    return { cost, saved, cacheLoss: cacheWatch.answered(request, transcript.history.messages, usage) };
  }

  /** Keeps the repeated text out of the history, where it would invite more repetition. */
  private async cutAnswer(partial: string, stepId: string): Promise<TurnEnd | undefined> {
    const { transcript, loops } = this.conversation;
    const finding = await loops.endStep();
    const kept = partial.slice(0, finding?.keepText);
    this.addText('model', `${kept}[The rest of this answer repeated itself and was cut off.]`);
    transcript.emit({ type: 'step.ended', stepId, finish: 'LOOP', citations: [] });
    if (this.signal.aborted) return { kind: 'stopped' };
    if (finding) return this.answerLoop(finding);
    // The user let it continue at this very moment.
    this.addText('user', 'Continue.');
    return undefined;
  }

  private answerLoop(finding: LoopFinding): TurnEnd | undefined {
    if (finding.kind === 'stop') return { kind: 'loop', loop: finding.loop };
    const text = t('{0} Folio told the model to try another way.', finding.loop.detail);
    this.conversation.transcript.emit({ type: 'notice.shown', level: 'warning', text });
    this.addText('user', finding.text);
    return undefined;
  }

  private addText(role: Message['role'], text: string): void {
    const { transcript } = this.conversation;
    const parts = [{ kind: 'text', text }] as const;
    if (role === 'user') transcript.say(parts, 'meanwhile');
    else transcript.emit({ type: 'message.added', message: { role, parts } });
  }
}

/** The history keeps the cut answer, so that the model can continue it. */
function cutProblem(usage: Usage | undefined): Failure {
  const tokens = usage ? usage.output + usage.thoughts : 0;
  return makeFailure(cutKind, () => {
    const what =
      tokens > 0
        ? plural(
            tokens,
            'one: The model reached its length limit after {0} token, so the answer is incomplete. | other: The model reached its length limit after {0} tokens, so the answer is incomplete.',
          )
        : t('The model reached its length limit, so the answer is incomplete.');
    const remedy = t(
      'Retry, or send "Continue" for the rest. If you run the model yourself, raise its limit.',
    );
    return `${what} ${remedy}`;
  });
}

const cutKind = 'cut';

/** True if the model's answer reached its length limit. */
export function isCutAnswer(end: TurnEnd): boolean {
  return end.kind === 'failed' && end.trouble.kind === cutKind;
}

export function failureOf(error: ModelError): Failure {
  const remedies: Partial<Record<ModelError['kind'], Failure['remedy']>> = {
    auth: 'setKey',
    forbidden: 'setKey',
    notFound: 'selectModel',
    noTools: 'selectModel',
    quota: 'selectModel',
    overloaded: 'selectModel',
    tooLarge: 'compress',
  };
  return makeFailure(error.kind, () => error.say(), remedies[error.kind]);
}
