/* A session of the background host as a page shows it, folded here from the host's events. */

import type { BackgroundReply } from '../../../../protocol/background.ts';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { type EmittedEvent, isAgentEvent } from '../../../../protocol/fold/agents.ts';
import { reduceWithAgents } from '../../../../protocol/fold/reduceAgents.ts';
import type { Intention } from '../../../../protocol/intentions.ts';
import { emptySession, type SessionState } from '../../../../protocol/state.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { messageOf } from '../../../base/errors.ts';
import { validateEvent } from '../../../core/recording/parseEvent.ts';
import type { Log } from '../../../platform/log.ts';

type Prompt = Intention<'prompt.send'>;

/** A connection that follows the session. */
interface Attached {
  next(): Promise<BackgroundReply | undefined>;
  sendLine(line: string): void;
  close(): void;
}

/** A prompt that the host did not take. `reason`: the host's; absent if it was gone. */
interface ReturnedPrompt {
  readonly prompt: Prompt;
  readonly reason?: string;
}

/** `left`: it rests, or another process has it. `gone`: the host ended. `broken`: invalid data arrived. */
export type WatchEnd = 'left' | 'gone' | 'broken';

/**
 * The host is the only writer; this folds the same events as its journal. A prompt counts as taken once an event
 * contains it, since a killed host keeps nothing that is not in the journal.
 */
export class WatchedSession implements Disposable {
  readonly id: string;
  private readonly log: Pick<Log, 'warn'>;
  private readonly changed = new Emitter<void>();
  private readonly returned = new Emitter<ReturnedPrompt>();
  private connection: Attached | undefined;
  private sent = 0;
  /** Prompts without an event yet, by their line number on this connection. */
  private readonly unsure = new Map<number, Prompt>();
  private isOver = false;
  isDisposed = false;
  state: SessionState = emptySession;
  readonly onDidChange = this.changed.event;
  readonly onDidReturn = this.returned.event;

  constructor(id: string, log: Pick<Log, 'warn'>) {
    this.id = id;
    this.log = log;
  }

  /** True once it has left the host, so that a window may open it. */
  get hasLeft(): boolean {
    return this.isOver;
  }

  /**
   * Follows the session until it leaves the host, or the connection ends. Never rejects.
   * @param onReady called when all past events are shown
   */
  async follow(connection: Attached, onReady: () => void): Promise<WatchEnd> {
    const end = await this.readAll(connection, onReady).catch(error => {
      this.log.warn(`Session ${this.id} of the background host could not be followed: ${messageOf(error)}`);
      return 'broken' as const;
    });
    connection.close();
    this.connection = undefined;
    this.isOver = end === 'left';
    for (const prompt of this.unsure.values()) this.returned.fire({ prompt });
    this.unsure.clear();
    this.changed.fire();
    return end;
  }

  /** Marks that no host has it any more. */
  end(): void {
    this.isOver = true;
    this.changed.fire();
  }

  /** Sends an intention. Returns false if no host is connected. */
  send(message: object): boolean {
    if (!this.connection) return false;
    this.sent++;
    if (isPrompt(message)) this.unsure.set(this.sent, message);
    this.connection.sendLine(JSON.stringify(message));
    return true;
  }

  dispose(): void {
    this.isDisposed = true;
    this.connection?.close();
    this.changed.dispose();
    this.returned.dispose();
  }

  /** Shows nothing before all past events have arrived: a restarted fold would show an earlier state. */
  private async readAll(connection: Attached, onReady: () => void): Promise<WatchEnd> {
    let state = emptySession;
    for (let reply = await connection.next(); reply; reply = await connection.next()) {
      if (reply.type === 'ended') return 'left';
      if (reply.type === 'refused') this.refuse(reply.line, reply.reason);
      if (reply.type === 'caughtUp') {
        this.connection = connection;
        this.sent = 0;
        this.publish(state);
        onReady();
      }
      const reported = reply.type === 'event' ? validateEvent(reply.event) : undefined;
      if (!reported) continue;
      state = reduceWithAgents(state, reported);
      if (!this.connection) continue;
      this.confirm(reported);
      this.publish(state);
    }
    return 'gone';
  }

  private publish(state: SessionState): void {
    this.state = state;
    this.changed.fire();
  }

  private confirm(reported: EmittedEvent): void {
    const text = isAgentEvent(reported) ? undefined : promptIn(reported);
    const found = [...this.unsure].find(([, prompt]) => prompt.text === text);
    if (found) this.unsure.delete(found[0]);
  }

  /** A refused second decision needs no message: the first is shown. */
  private refuse(line: number, reason: string): void {
    const prompt = this.unsure.get(line);
    this.unsure.delete(line);
    if (prompt) this.returned.fire({ prompt, reason });
  }
}

function isPrompt(message: object): message is Prompt {
  return 'type' in message && message.type === 'prompt.send';
}

function promptIn(event: SessionEvent): string | undefined {
  if (event.type === 'turn.started') return event.text;
  return event.type === 'prompt.queued' ? event.prompt.text : undefined;
}
