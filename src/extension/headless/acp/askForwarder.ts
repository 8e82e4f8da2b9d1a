/* Forwards everything in a session that waits for the user to the client. */

import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Ask } from '../../../protocol/asks.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { FallbackDecision, ModelFailure } from '../../../protocol/routing.ts';
import { messageOf } from '../../base/errors.ts';
import type { Decision } from '../../core/calls/approvals.ts';
import type { Session } from '../../core/session/session.ts';
import { type CallFacts, type StartedCall, textContent } from './callUpdates.ts';
import { decisionOf, describeAsk } from './permissions.ts';
import {
  cannotAsk,
  decisionOfButton,
  decisionOfForm,
  type QuestionSubject,
  questionButtons,
  questionForm,
} from './questions.ts';
import type { SessionClient } from './sessionClient.ts';

type Deciding = Pick<Session, 'decide' | 'decideFallback'>;

/**
 * Sends one question per ask, and withdraws it when it is decided elsewhere or the call ends. If the client cannot ask,
 * the answer is no.
 */
export class AskForwarder {
  private readonly session: Deciding;
  private readonly client: SessionClient;
  private readonly view: CallFacts;
  private readonly calls = new Map<string, StartedCall>();
  private readonly waiting = new Map<string, AbortController>();

  constructor(session: Deciding, client: SessionClient, view: CallFacts) {
    this.session = session;
    this.client = client;
    this.view = view;
  }

  /** Receives the events of the session and its subagents. */
  handleEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'call.requested':
        this.calls.set(event.callId, event);
        return;
      case 'call.asked':
        this.ask(event.callId, signal => this.askCall(event.callId, event.ask, signal));
        return;
      case 'call.decided':
        this.withdraw(event.callId);
        return;
      case 'call.ended':
        this.withdraw(event.callId);
        this.calls.delete(event.callId);
        return;
      case 'model.asked':
        this.ask(modelAsk, signal => this.askFallback(event.failure, signal));
        return;
      case 'model.decided':
      case 'turn.ended':
        this.withdraw(modelAsk);
    }
  }

  private ask(id: string, work: (signal: AbortSignal) => Promise<void>): void {
    this.withdraw(id);
    const abort = new AbortController();
    this.waiting.set(id, abort);
    void work(abort.signal);
  }

  private withdraw(id: string): void {
    this.waiting.get(id)?.abort();
    this.waiting.delete(id);
  }

  private async askCall(callId: string, ask: Ask, signal: AbortSignal): Promise<void> {
    const decision = await this.decisionOn(callId, ask, signal).catch((error: unknown): Decision => {
      return { kind: 'deny', reason: `Nobody could be asked: ${messageOf(error)}` };
    });
    if (!signal.aborted) this.session.decide(callId, { ...decision, askId: ask.id });
  }

  private async decisionOn(callId: string, ask: Ask, signal: AbortSignal): Promise<Decision> {
    const { subject } = ask;
    if (subject.kind === 'questions') return this.answersTo(callId, ask, subject, signal);
    const asked = { callId, call: this.calls.get(callId), ask };
    return decisionOf(ask, await this.client.askPermission(describeAsk(asked, this.view), signal));
  }

  private async answersTo(
    callId: string,
    ask: Ask,
    subject: QuestionSubject,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { client } = this;
    if (client.capabilities.elicitation?.form) {
      const place = { sessionId: client.begun(), toolCallId: callId };
      return decisionOfForm(subject, await client.elicit(questionForm(subject, place), signal));
    }
    const options = questionButtons(subject);
    if (!options) return cannotAsk;
    const title = this.calls.get(callId)?.title ?? ask.reason;
    const content = subject.questions.map(({ text }) => textContent(text));
    const toolCall = { toolCallId: callId, title, status: 'pending', content } as const;
    return decisionOfButton(subject, await client.askPermission({ toolCall, options: [...options] }, signal));
  }

  /** The protocol supports questions only about calls, so the failure is presented as one. */
  private async askFallback(failure: ModelFailure, signal: AbortSignal): Promise<void> {
    const toolCallId = `model-${failure.askId ?? failure.model}`;
    const title = `${failure.model} does not answer`;
    const content = [textContent(failure.message)];
    this.client.notify({
      sessionUpdate: 'tool_call',
      toolCallId,
      title,
      kind: 'other',
      status: 'pending',
      content,
    });
    const toolCall = { toolCallId, title, status: 'pending', content } as const;
    const outcome = await this.client
      .askPermission({ toolCall, options: fallbackOptions(failure) }, signal)
      .catch(() => undefined);
    this.client.notify({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    if (signal.aborted) return;
    const chosen = outcome?.outcome === 'selected' ? outcome.optionId : 'later';
    this.session.decideFallback(decisions.find(each => each === chosen) ?? 'later');
  }
}

/** Key of the question about the model. There is at most one at a time. */
const modelAsk = 'the model';

const decisions: readonly FallbackDecision[] = ['retry', 'switch', 'stop', 'later', 'upgrade'];

function fallbackOptions({ model, kind, candidate }: ModelFailure): PermissionOption[] {
  return [
    { optionId: 'retry', name: `Try ${model} again`, kind: 'allow_once' },
    ...(candidate === undefined
      ? []
      : [{ optionId: 'switch', name: `Continue with ${candidate}`, kind: 'allow_once' as const }]),
    ...(kind === 'terminal'
      ? [{ optionId: 'upgrade', name: 'Stop and Show Where to Upgrade', kind: 'reject_once' as const }]
      : []),
    { optionId: 'stop', name: 'Stop', kind: 'reject_once' },
  ];
}
