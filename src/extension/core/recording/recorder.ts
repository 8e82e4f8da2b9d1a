import type { SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { FileError } from '../../platform/fileSystem.ts';
import { type Journal, SessionInUseError } from '../../platform/storage.ts';
import { MaskingBuffer } from './maskingBuffer.ts';

interface RecordingTarget {
  readonly open: () => Promise<Journal>;
  /** Name of the subagent; absent: the session itself. */
  readonly agent?: string;
  readonly notify: (sentence: string) => void;
}

/** Characters that may wait while writing fails: hours of work, but no risk for memory. */
const maxWaiting = 32_000_000;

/**
 * Appends the masked events of a session, or of one subagent, to its journal. Nothing is written before `begin`, so
 * that empty sessions leave no trace; a restored session already has a file.
 *
 *     well ─► failing ─► well      writing fails for a while; events wait and are added later
 *                  └────► over      too many events wait, another process has the session, or it was closed
 *
 * Each transition is reported once, in a sentence. The session continues in every state.
 */
export class JournalRecorder {
  private readonly target: RecordingTarget;
  private readonly text = new MaskingBuffer();
  private status: 'well' | 'failing' | 'over' = 'well';
  /** Lines from before the journal was created. */
  private early: string[] = [];
  private earlySize = 0;
  private journal: Journal | undefined;
  private opening: Promise<void> | undefined;
  private resumed = false;

  constructor(target: RecordingTarget) {
    this.target = target;
  }

  /** Continues a restored session. If its journal could not be opened, the next event retries. */
  resume(journal: Journal | undefined): void {
    this.resumed = true;
    this.journal = journal;
  }

  /** Call in order. Live output is not recorded, since a call's end contains all of it. */
  record(event: SessionEvent): void {
    if (this.status === 'over' || isLiveOnly(event)) return;
    this.write(this.text.addEvent(event));
    if (this.resumed && !this.journal && this.status === 'well') void this.begin();
  }

  /** Opens the journal and writes earlier events. Never rejects. */
  begin(): Promise<void> {
    if (this.journal || this.status === 'over') return Promise.resolve();
    this.opening ??= this.open().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Resolves once everything is on disk, or a failure was reported. */
  async flush(): Promise<void> {
    this.write(this.text.interrupt());
    if (this.opening || (this.status === 'failing' && !this.journal)) await this.begin();
    await this.settle();
  }

  async close(): Promise<void> {
    this.write(this.text.end());
    await this.flush();
    const { journal, status } = this;
    this.journal = undefined;
    // Later lines must not reopen the journal.
    this.status = 'over';
    // The flush has reported any problem.
    await journal?.close().catch(() => {});
    if (status === 'failing' && journal?.waiting !== 0) this.target.notify(endLost(this.target));
  }

  private async open(): Promise<void> {
    try {
      const journal = await this.target.open();
      for (const line of this.early) journal.append(line);
      this.early = [];
      this.journal = journal;
    } catch (error) {
      this.noteProblem(error);
    }
  }

  /** Waits until everything is written. */
  private async settle(): Promise<void> {
    const { journal } = this;
    if (!journal || this.status === 'over') return;
    try {
      await journal.flush();
      if (this.status !== 'failing') return;
      this.status = 'well';
      this.target.notify(recordedAgain(this.target));
    } catch (error) {
      this.noteProblem(error);
    }
  }

  private write(events: readonly SessionEvent[]): void {
    if (this.status === 'over') return;
    for (const line of events.map(event => JSON.stringify(event))) {
      if (this.journal) {
        this.journal.append(line);
      } else {
        this.early.push(line);
        this.earlySize += line.length;
      }
    }
    if (this.journal && this.journal.waiting > 0 && this.status === 'well') void this.settle();
    const waiting = this.journal?.waiting ?? (this.status === 'failing' ? this.earlySize : 0);
    if (waiting > maxWaiting) this.giveUp(t('too much was waiting to be written to the disk.'));
  }

  private noteProblem(error: unknown): void {
    if (error instanceof SessionInUseError) this.giveUp(t('another window has taken it over.'));
    if (this.status !== 'well') return;
    this.status = 'failing';
    this.target.notify(notRecorded(this.target, because(error)));
  }

  /** A journal with a gap would mislead a later run, so recording ends here. */
  private giveUp(why: string): void {
    if (this.status === 'over') return;
    this.status = 'over';
    this.early = [];
    const { journal } = this;
    this.journal = undefined;
    // Waiting lines are dropped on purpose.
    journal?.close().catch(() => {});
    this.target.notify(recordedNoMore(this.target, why));
  }
}

function recordedAgain({ agent }: RecordingTarget): string {
  return agent === undefined
    ? t('This session is recorded again, and nothing of it is missing.')
    : t('The work of {0} is recorded again, and nothing of it is missing.', agent);
}

function notRecorded({ agent }: RecordingTarget, why: string): string {
  const then = t('The session continues. The missing part is added when recording works again.');
  return agent === undefined
    ? t('This session is not recorded at the moment: {0} {1}', why, then)
    : t('The work of {0} is not recorded at the moment: {1} {2}', agent, why, then);
}

function recordedNoMore({ agent }: RecordingTarget, why: string): string {
  const then = t('You can continue here, but the history ends at this point.');
  return agent === undefined
    ? t('This session is no longer recorded: {0} {1}', why, then)
    : t('The work of {0} is no longer recorded: {1} {2}', agent, why, then);
}

function endLost({ agent }: RecordingTarget): string {
  const why = t('It was closed while recording had stopped. The history ends at that point.');
  return agent === undefined
    ? t('The end of this session is not recorded. {0}', why)
    : t('The end of the work of {0} is not recorded. {1}', agent, why);
}

function isLiveOnly(event: SessionEvent): boolean {
  return event.type === 'call.output';
}

function because(error: unknown): string {
  if (error instanceof FileError && error.kind === 'noSpace') return t('the disk is full. Free some space.');
  return messageOf(error);
}
