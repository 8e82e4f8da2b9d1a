import type { SessionStore } from '../../platform/storage.ts';
import { JournalRecorder } from '../recording/recorder.ts';
import type { RecordEvent } from '../recording/transcript.ts';

export interface AgentRecorder {
  readonly record: RecordEvent;
  /** Opens the file. From then on, each event is on disk before it is emitted. Never rejects. */
  begin(): Promise<void>;
  /** Resolves once everything is on disk, or the failure was reported. */
  close(): Promise<void>;
}

/** Journals of a session's subagents: one file per call, in the session's folder. */
export class AgentJournals {
  private readonly sessionId: string;
  private readonly store: Pick<SessionStore, 'openAgentJournal'>;
  private readonly number: RecordEvent;
  private readonly notify: (sentence: string) => void;
  private readonly open = new Set<JournalRecorder>();
  private readonly closing = new Set<Promise<void>>();

  /**
   * @param number assigns the number and time of an event within the session
   * @param notify shows a sentence to the user
   */
  constructor(
    sessionId: string,
    store: Pick<SessionStore, 'openAgentJournal'>,
    number: RecordEvent,
    notify: (sentence: string) => void,
  ) {
    this.sessionId = sessionId;
    this.store = store;
    this.number = number;
    this.notify = notify;
  }

  make(callId: string, agent: string): AgentRecorder {
    const recorder = new JournalRecorder({
      open: () => this.store.openAgentJournal(this.sessionId, callId),
      agent,
      notify: this.notify,
    });
    this.open.add(recorder);
    return {
      record: body => {
        const event = this.number(body);
        recorder.record(event);
        return event;
      },
      begin: () => recorder.begin(),
      close: () => this.close(recorder),
    };
  }

  /** Flushes all of them, like `JournalRecorder.flush`. */
  async flush(): Promise<void> {
    await Promise.all([...this.closing, ...[...this.open].map(recorder => recorder.flush())]);
  }

  private close(recorder: JournalRecorder): Promise<void> {
    this.open.delete(recorder);
    // Events from before the file was open are written, too.
    const closed = recorder
      .begin()
      .then(() => recorder.close())
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
    return closed;
  }
}
