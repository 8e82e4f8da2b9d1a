/*
 * Controls a run by lines of JSON on standard input. Each line is an intent, named as in the panel. A refused line is
 * answered with a line of its own, and has no other effect:
 *
 *   prompt.send ─► starts a turn, or is queued          call.decide, fallback.decide ─► the pending ask with that id
 *   prompt.steer ─► the running turn                    turn.stop, retry.now, mode.set, model.set, agent.set
 *   queue.change, queue.remove, queue.sendNow ─► queued prompts
 *
 * The end of the input means that the client is gone: pending asks are denied, and the run ends when the agent rests.
 */

import * as z from 'zod';
import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import { intentionSchemas } from '../../protocol/intentions.ts';
import { abortable } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import type { Session } from '../core/session/session.ts';

/** Called with the reason if a line was not carried out, possibly later. */
type Refuse = (reason: string) => void;

/** Answers a prompt that starts a turn; it may be a command. Throws if it is invalid. */
export type StreamPromptHandler = (text: string, attachments: Prompt['attachments']) => Promise<TurnEnd>;

const send = intentionSchemas['prompt.send'];
const prompt = send.extend({
  attachments: send.shape.attachments.default([]),
  how: send.shape.how.default('next'),
});
type Prompt = z.infer<typeof prompt>;

const intention = z.discriminatedUnion('type', [
  prompt,
  z.object({ type: z.literal('prompt.steer'), text: z.string().min(1) }),
  intentionSchemas['call.decide'].omit({ sessionId: true }),
  intentionSchemas['fallback.decide'],
  intentionSchemas['turn.stop'],
  intentionSchemas['retry.now'],
  intentionSchemas['queue.change'],
  intentionSchemas['queue.remove'],
  intentionSchemas['queue.sendNow'],
  intentionSchemas['mode.set'],
  intentionSchemas['model.set'],
  intentionSchemas['agent.set'],
]);
type Wanted = z.infer<typeof intention>;

export class StreamInput {
  private readonly session: Session;
  private readonly answer: StreamPromptHandler;
  private readonly working = new Set<Promise<unknown>>();
  /** The newest command, which need not be a turn. */
  private command: Promise<void> | undefined;
  /** Ids of pending asks, by call. */
  private readonly asks = new Map<string, string | undefined>();
  private fallback: string | undefined;
  private hasEnded = false;
  private lastEnd: TurnEnd | undefined;

  constructor(session: Session, answer: StreamPromptHandler) {
    this.session = session;
    this.answer = answer;
    session.onEvent(event => this.handleEvent(event));
    // The end of a subagent's turn does not end the session's turn.
    session.onAgentEvent(({ event }) => event.type !== 'turn.ended' && this.handleEvent(event));
  }

  /**
   * Resolves when the input has ended and the agent rests. Returns the end of the newest turn, if any.
   * @param refuse called with each line that was not carried out, numbered from 1
   * @param signal aborts when the client is gone
   */
  async follow(
    lines: AsyncGenerator<string>,
    refuse: (line: number, reason: string) => void,
    signal: AbortSignal,
  ): Promise<TurnEnd | undefined> {
    let number = 0;
    try {
      for (;;) {
        const { done, value } = await abortable(lines.next(), signal);
        if (done) break;
        const line = ++number;
        if (value.trim() !== '') this.handleLine(value, reason => refuse(line, reason));
      }
    } catch (error) {
      if (!signal.aborted)
        // An unreadable input counts as ended.
        refuse(number + 1, messageOf(error));
    }
    this.hasEnded = true;
    this.denyAll();
    await this.rest();
    return this.lastEnd;
  }

  /** Carries a line out, or calls `refuse`. */
  handleLine(line: string, refuse: Refuse): void {
    try {
      const reason = this.carryOut(parse(line), refuse);
      if (reason !== undefined) refuse(reason);
    } catch (error) {
      refuse(messageOf(error));
    }
  }

  /** Returns a message if it cannot be done. */
  private carryOut(wanted: Wanted, refuse: Refuse): string | undefined {
    const { session } = this;
    switch (wanted.type) {
      case 'prompt.send':
        return this.send(wanted, refuse);
      case 'prompt.steer':
        if (!session.busy) return 'No turn runs that could be steered: send a prompt.';
        void this.begin(session.submitPrompt(wanted.text, [], 'steer'), refuse);
        return undefined;
      case 'call.decide': {
        const { callId, askId, decision } = wanted;
        if (decision.kind === 'interactive')
          return 'Nobody can type into a command here: nothing was decided.';
        const isDecided = session.decide(callId, { ...decision, askId });
        return isDecided ? undefined : 'This ask does not wait any more: nothing was decided.';
      }
      case 'fallback.decide':
        if (this.fallback !== wanted.askId)
          return 'This question does not wait any more: nothing was decided.';
        session.decideFallback(wanted.decision);
        return undefined;
      case 'turn.stop':
        void session.stop();
        return undefined;
      case 'retry.now':
        session.retryNow();
        return undefined;
      case 'queue.change':
        session.queue.change(wanted.prompt);
        return undefined;
      case 'queue.remove':
        session.queue.remove(wanted.id);
        return undefined;
      case 'queue.sendNow':
        void this.begin(session.sendQueuedNow(wanted.id), refuse);
        return undefined;
      case 'mode.set':
        session.setMode(wanted.mode);
        return undefined;
      case 'model.set':
        session.setModel(wanted.model);
        return undefined;
      case 'agent.set':
        void session.setForAgent(wanted.option, wanted.value);
        return undefined;
    }
  }

  private send({ text, attachments, how }: Prompt, refuse: Refuse): string | undefined {
    if (text.trim() === '' && attachments.length === 0) return 'The prompt is empty.';
    if (text.trimStart().startsWith('/')) return this.sendCommand(text, attachments, refuse);
    if (!this.session.busy && this.working.size === 0) {
      void this.begin(this.answer(text, attachments), refuse);
      return undefined;
    }
    const queue = () => this.session.submitPrompt(text, attachments, how);
    // This prompt must wait for the command, because the command's effect applies to it.
    void this.begin(this.command ? this.command.then(queue) : queue(), refuse);
    return undefined;
  }

  private sendCommand(text: string, attachments: Prompt['attachments'], refuse: Refuse): string | undefined {
    if (this.session.busy) return 'A command does not wait: send it when the agent rests.';
    // A turn whose end was reported may not be saved yet.
    const rested = Promise.all(this.working);
    this.command = this.begin(
      rested.then(() => this.answer(text, attachments)),
      refuse,
    );
    return undefined;
  }

  /** Never rejects. @param ends resolves with the end of its turn, if it started one */
  private begin(ends: Promise<TurnEnd | undefined>, refuse: Refuse): Promise<void> {
    const work = ends
      .then(end => {
        this.lastEnd = end ?? this.lastEnd;
      })
      .catch((error: unknown) => refuse(messageOf(error)))
      .finally(() => this.working.delete(work));
    this.working.add(work);
    return work;
  }

  private handleEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'call.asked':
        this.asks.set(event.callId, event.ask.id);
        break;
      case 'call.decided':
      case 'call.ended':
        this.asks.delete(event.callId);
        return;
      case 'model.asked':
        this.fallback = event.failure.askId;
        break;
      case 'model.decided':
        this.fallback = undefined;
        return;
      case 'turn.ended':
        this.lastEnd = event.end;
        return;
      default:
        return;
    }
    // Runs after the code that awaits the answer, which starts right after the event.
    if (this.hasEnded) setImmediate(() => this.denyAll());
  }

  private denyAll(): void {
    for (const [callId, askId] of this.asks) {
      this.session.decide(callId, { kind: 'deny', reason: 'Nobody is there any more to decide.', askId });
    }
    if (this.fallback !== undefined) this.session.decideFallback('later');
  }

  get isAtRest(): boolean {
    return this.working.size === 0 && !this.session.busy;
  }

  /** Resolves when the agent rests. A waiting prompt starts automatically after the previous turn. */
  async rest(): Promise<void> {
    while (!this.isAtRest) {
      await Promise.all(this.working);
      if (this.session.busy) await this.nextEnd();
    }
  }

  private nextEnd(): Promise<void> {
    return new Promise(resolve => {
      const listening = this.session.onEvent(event => {
        if (event.type !== 'turn.ended') return;
        listening.dispose();
        setImmediate(resolve);
      });
    });
  }
}

/** Throws a user-facing message. */
function parse(line: string): Wanted {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`The line is no JSON: ${messageOf(error)}`);
  }
  const parsed = intention.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.');
  throw new Error(
    `The line is no intention: ${place ? `${place}: ` : ''}${issue?.message ?? 'not understood'}`,
  );
}
