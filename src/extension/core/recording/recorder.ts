import type { SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { FileError } from '../../platform/fileSystem.ts';
import { type Journal, SessionInUse } from '../../platform/storage.ts';
import { MaskingBuffer } from './maskingBuffer.ts';

interface RecordingTarget {
  readonly open: () => Promise<Journal>;
  /** The subagent whose work it is; absent: it is the session's. */
  readonly agent?: string;
  /** Takes a sentence for the user. */
  readonly notify: (sentence: string) => void;
}

/** Characters that may wait for a disk that takes nothing: some hours of work, and no danger to the host's memory. */
const maxWaiting = 32_000_000;

/**
 * Appends the events of a session or a subagent to its journal, without secrets of known formats. Nothing is on the
 * disk before `begin`, so that sessions in which nothing was said leave no trace; a session that was read from the disk
 * is there already.
 *
 *     well ─► failing ─► well      the disk takes nothing for a while; what came meanwhile is added, nothing is missing
 *                  └────► over      too much came meanwhile, another process has the session now, or it was closed
 *
 * Each of these steps is told in a sentence, once, and the session continues in all of them.
 */
export class Recorder {
  private readonly target: RecordingTarget;
  private readonly text = new MaskingBuffer();
  private status: 'well' | 'failing' | 'over' = 'well';
  /** Lines from before there was a journal. */
  private early: string[] = [];
  private earlySize = 0;
  private journal: Journal | undefined;
  private opening: Promise<void> | undefined;
  private resumed = false;

  constructor(target: RecordingTarget) {
    this.target = target;
  }

  /** The session was read from its journal. Where that could not be opened yet, the next event tries again. */
  resume(journal: Journal | undefined): void {
    this.resumed = true;
    this.journal = journal;
  }

  /** In order. Live output is left out: the whole of it comes with the call's end. */
  record(event: SessionEvent): void {
    if (this.status === 'over' || isLiveOnly(event)) return;
    this.write(this.text.addEvent(event));
    if (this.resumed && !this.journal && this.status === 'well') void this.begin();
  }

  /** Opens the journal and writes what has come so far. Never rejects. */
  begin(): Promise<void> {
    if (this.journal || this.status === 'over') return Promise.resolve();
    this.opening ??= this.open().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Everything recorded so far is on the disk, or the problem has been told. */
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
    // Later lines come too late: they must not open the journal again.
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

  /** Waits for the disk. */
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
    if (error instanceof SessionInUse) this.giveUp(t('another window has taken it over.'));
    if (this.status !== 'well') return;
    this.status = 'failing';
    this.target.notify(notRecorded(this.target, because(error)));
  }

  /** A journal with a hole in it would lead a later run astray, so it ends where it is. */
  private giveUp(why: string): void {
    if (this.status === 'over') return;
    this.status = 'over';
    this.early = [];
    const { journal } = this;
    this.journal = undefined;
    // Lines that still wait are given up on purpose.
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
