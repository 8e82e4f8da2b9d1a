import type { Compressions } from '../context/compression/compressions.ts';
import type { History } from '../history/history.ts';
import type { JournalRecorder } from '../recording/recorder.ts';
import type { Rewinds } from './rewinds.ts';

/** Compressions requested and decided by the user. They are not possible during a rewind. */
export class SessionCompressions {
  private readonly compressions: Compressions;
  private readonly history: Pick<History, 'whole'>;
  private readonly rewinds: Pick<Rewinds, 'assertNone'>;
  private readonly recorder: Pick<JournalRecorder, 'begin' | 'flush'>;

  constructor(
    compressions: Compressions,
    history: Pick<History, 'whole'>,
    rewinds: Pick<Rewinds, 'assertNone'>,
    recorder: Pick<JournalRecorder, 'begin' | 'flush'>,
  ) {
    this.compressions = compressions;
    this.history = history;
    this.rewinds = rewinds;
    this.recorder = recorder;
  }

  /** Like `Compressions.propose`, and saved once it resolves. */
  async propose(): Promise<void> {
    this.rewinds.assertNone();
    const made = this.compressions.propose();
    if (this.history.whole.length > 0) await this.recorder.begin();
    await made;
    await this.recorder.flush();
  }

  apply(compressionId: string): void {
    this.rewinds.assertNone();
    this.compressions.apply(compressionId);
  }

  edit(compressionId: string, snapshot: string): void {
    this.rewinds.assertNone();
    this.compressions.edit(compressionId, snapshot);
  }

  discard(compressionId: string): void {
    this.compressions.discard(compressionId);
  }

  undo(compressionId: string): void {
    this.rewinds.assertNone();
    this.compressions.undo(compressionId);
  }
}
