/*
 * Relays one prompt from a chat outside of the panel, and the session's output for it.
 *
 *   sent ─► waiting behind another turn ─► running ─► over
 *     └────────────────────────────────────┘
 *
 * Decisions are made only in the panel: the chat shows a sentence that links to it.
 */

import type { QueuedPrompt, SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import { newestChapter, type SessionState } from '../../../protocol/state.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Session } from '../../core/session/session.ts';
import { findCall, listCalls } from '../findCall.ts';
import type { OpenSessions } from '../openSessions.ts';
import type { ChatAnswerWriter, SessionLink } from './chatAnswerWriter.ts';

type Phase =
  | { readonly status: 'sent' }
  | { readonly status: 'waiting'; readonly session: Session; readonly promptId: string }
  | { readonly status: 'running'; readonly session: Session; readonly turnId: string };

/** `failed`: a sentence for the user. */
type RelayEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly sentence: string };

const done: RelayEnd = { kind: 'done' };
const decideLabel = () => t('Decide in Folio');
const showLabel = () => t('Show in Folio');

export class TurnRelay {
  private readonly opened: Pick<OpenSessions, 'onEvent' | 'onAgentEvent'>;
  private readonly page: ChatAnswerWriter;
  private readonly text: string;
  private readonly signal: AbortSignal;
  private readonly changed = new Set<string>();
  private phase: Phase = { status: 'sent' };
  private finish: (end: RelayEnd) => void = () => {};
  /** The step whose text is last on the page. */
  private writtenStep: string | undefined;

  /** @param text of the prompt, which identifies its turn */
  constructor(
    opened: Pick<OpenSessions, 'onEvent' | 'onAgentEvent'>,
    page: ChatAnswerWriter,
    text: string,
    signal: AbortSignal,
  ) {
    this.opened = opened;
    this.page = page;
    this.text = text;
    this.signal = signal;
  }

  /**
   * Resolves when the prompt's turn is over, or when it is clear that there is none. The signal stops the turn.
   * @param send resolves when the turn is over, or at once if the prompt waits
   */
  async relay(send: () => Promise<void>): Promise<RelayEnd> {
    const store = new DisposableStore();
    const stop = () => this.stop();
    this.signal.addEventListener('abort', stop);
    store.add({ dispose: () => this.signal.removeEventListener('abort', stop) });
    store.add(this.opened.onEvent(({ session, event }) => this.hear(session, event)));
    store.add(this.opened.onAgentEvent(({ session, event }) => this.hearAsk(session, event)));
    try {
      return await new Promise<RelayEnd>((resolve, reject) => {
        this.finish = resolve;
        send().then(() => this.endWithoutTurn(), reject);
      });
    } finally {
      store.dispose();
    }
  }

  private hear(session: Session, event: SessionEvent): void {
    const { phase } = this;
    if (phase.status === 'sent') this.findPrompt(session, event);
    else if (phase.session !== session) return;
    else if (phase.status === 'waiting') this.followWaiting(phase, event);
    else this.show(phase, event);
  }

  private findPrompt(session: Session, event: SessionEvent): void {
    if (event.type === 'turn.started' && event.text === this.text) this.begin(session, event.turnId);
    else if (event.type === 'prompt.queued' && event.prompt.text === this.text)
      this.wait(session, event.prompt);
  }

  private wait(session: Session, { id }: QueuedPrompt): void {
    this.phase = { status: 'waiting', session, promptId: id };
    if (this.signal.aborted) this.stop();
    this.say(t('Folio is working on an earlier prompt. It sends this one when that is done.'));
    this.page.lead(showLabel(), { sessionId: session.id });
  }

  private followWaiting({ session, promptId }: Phase & { status: 'waiting' }, event: SessionEvent): void {
    if (event.type === 'turn.started' && event.queuedAs === promptId) this.begin(session, event.turnId);
    if (event.type !== 'prompt.unqueued' || event.id !== promptId) return;
    const sentence =
      event.because === 'steered'
        ? t('Folio added this prompt to the current turn. See the result in the panel.')
        : t('This prompt was removed before it was sent.');
    this.page.say(sentence);
    this.finish(done);
  }

  private begin(session: Session, turnId: string): void {
    this.phase = { status: 'running', session, turnId };
    if (this.signal.aborted) this.stop();
  }

  private show(running: Phase & { status: 'running' }, event: SessionEvent): void {
    const { session, turnId } = running;
    switch (event.type) {
      case 'mentions.read':
        this.reportUnread(event.mentions);
        break;
      case 'chapter.started':
        this.head(session, event.title);
        break;
      case 'text.appended':
        this.write(event.stepId, event.text);
        break;
      case 'step.retried':
        this.say(t('The answer ended early. Folio asks again: {0}', event.reason));
        break;
      case 'call.started':
        this.reportCall(session, event.callId);
        break;
      case 'call.asked':
        this.hearAsk(session, event);
        break;
      case 'model.asked':
        this.say(`${t('Folio asks how to continue.')} ${event.failure.message}`);
        this.page.lead(decideLabel(), placeOfCall(session, turnId));
        break;
      case 'file.written':
        this.showChanged(event.path);
        break;
      case 'notice.shown':
        if (event.level !== 'info') this.say(event.text);
        break;
      case 'turn.ended':
        if (event.turnId === turnId) this.end(session, event.end);
    }
  }

  /** Handles asks of the agent or a subagent. */
  private hearAsk(session: Session, event: SessionEvent): void {
    const { phase } = this;
    if (event.type !== 'call.asked' || phase.status !== 'running' || phase.session !== session) return;
    const { state } = session;
    const call = findCall(state, event.callId);
    const title = call?.said ?? call?.title ?? '';
    this.say(t('{0} asks: {1}. {2}', nameAsker(state, event.callId), title, event.ask.reason));
    this.page.lead(decideLabel(), placeOfCall(session, event.callId));
  }

  private reportUnread(mentions: readonly Mention[]): void {
    for (const { text, outcome, detail } of mentions) {
      if (outcome !== 'read' && outcome !== 'cut') this.say(t('{0} was not read: {1}', text, detail));
    }
  }

  private head(session: Session, title: string): void {
    const { id, number } = newestChapter(session.state);
    this.writtenStep = undefined;
    this.page.head(`${number}. ${title}`, { sessionId: session.id, place: { kind: 'chapter', id } });
  }

  private write(stepId: string, text: string): void {
    this.page.write(this.writtenStep === stepId ? text : `\n\n${text}`);
    this.writtenStep = stepId;
  }

  private say(sentence: string): void {
    this.writtenStep = undefined;
    this.page.say(sentence);
  }

  private reportCall(session: Session, callId: string): void {
    const call = findCall(session.state, callId);
    if (call && call.tool !== 'create_new_topic') this.page.reportProgress(call.title);
  }

  private showChanged(path: string): void {
    if (this.changed.has(path)) return;
    this.changed.add(path);
    this.page.showChanged(path);
  }

  private end(session: Session, end: TurnEnd): void {
    if (end.kind === 'failed') {
      this.page.lead(showLabel(), { sessionId: session.id });
      this.finish({ kind: 'failed', sentence: end.trouble.message });
      return;
    }
    if (end.kind !== 'rested') {
      this.say(describeTurnEnd(end));
      this.page.lead(showLabel(), { sessionId: session.id });
    }
    this.finish(done);
  }

  /** The prompt was a command without model request, or could not be sent. */
  private endWithoutTurn(): void {
    if (this.phase.status !== 'sent') return;
    this.say(t('Nothing was sent to a model. See the result in Folio’s panel.'));
    this.page.lead(showLabel(), {});
    this.finish(done);
  }

  private stop(): void {
    const { phase } = this;
    if (phase.status === 'running') void phase.session.stop();
    else if (phase.status === 'waiting') phase.session.queue.remove(phase.promptId);
  }
}

function placeOfCall({ id }: Session, callId: string): SessionLink {
  return { sessionId: id, place: { kind: 'call', id: callId } };
}

function nameAsker(state: SessionState, callId: string): string {
  for (const { agent } of listCalls(state)) {
    if (agent && findCall(agent.session, callId)) return agent.name;
  }
  return 'Folio';
}
