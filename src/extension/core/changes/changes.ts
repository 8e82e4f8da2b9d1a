/*
 * Everything that a session knows of the files it changed: checkpoints, pending reviews, and the way back. Each writer
 * writes through files of its own (`filesOf`); calls run inside of `watch`.
 */

import type { ReviewedFile, ShelvedFile } from '../../../protocol/changes.ts';
import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Effect, FileCounts, Writer } from '../../../protocol/values.ts';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSameFormat } from '../../platform/fileEncodings.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import type { FileReview } from '../../review/hunk.ts';
import { WorkspacePaths } from '../paths.ts';
import type { AlsoIgnored } from './alsoIgnored.ts';
import { type FileContent, linkNamed, sameBytes } from './bytes.ts';
import { Checkpoints } from './checkpoints.ts';
import { CommandScans } from './commandScans.ts';
import { watchCommand } from './commandWatch.ts';
import { GitUse } from './gitUse.ts';
import { ReviewLedger } from './ledger.ts';
import type { OtherRun } from './otherRuns.ts';
import type { CommandChanges, CommandWatch } from './runningChanges.ts';
import { WayBack } from './wayBack.ts';
import { readOwnText, wholeOf } from './wholeFiles.ts';
import {
  type FoundChange,
  type PlannedWrite,
  type WriterFiles,
  type WrittenText,
  writerFiles,
} from './writerFiles.ts';

/** Milliseconds until a request that was begun has left: the time after it costs nobody anything. */
const untilSentMs = 250;

interface ChangesPorts {
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly clock: Clock;
  readonly log: Log;
  readonly otherRuns: OtherRun;
  /** Ignored files that are reviewed all the same; absent: none. */
  readonly alsoIgnored?: Pick<AlsoIgnored, 'forCommand'>;
  readonly emit: (event: SessionEventBody) => void;
  /** Resolves when everything emitted so far is in the journal. */
  readonly recorded: () => Promise<void>;
  /** Id of the chapter that grows. */
  readonly chapterId: () => string;
}

/** A call that may write; the user decides without one. */
export type CallWriter = Extract<Writer, { readonly kind: 'call' | 'command' }>;

/** A call that is about to run. */
interface WatchedCall {
  readonly effect: Effect;
  /** Changes that bypass these files are found afterwards and count as the writer's, too. */
  readonly files: WriterFiles;
  /** It is a command that is known to only read. */
  readonly reads: boolean;
  /** It names Git. */
  readonly usesGit?: boolean;
  /** It may put something into Git's index. */
  readonly mayStage?: boolean;
  readonly signal: AbortSignal;
  /** Its processes may continue when it has ended; absent: it leaves none. */
  readonly callId?: string;
}

/** A file that was read, and its review that holds just that. */
interface ReadFile {
  readonly bytes: Uint8Array;
  readonly review: FileReview;
}

export class Changes {
  readonly ledger: ReviewLedger;
  readonly wayBack: WayBack;
  readonly gitUse = new GitUse();
  private readonly around: ChangesPorts;
  private readonly paths: WorkspacePaths;
  private readonly checkpoints: Checkpoints;
  private readonly scans: CommandScans;
  private readonly closing = new AbortController();
  private readonly answered = new AbortController();
  private readonly stopListening: () => void;
  private preparing: Promise<void> | undefined;
  /** Files that the newest scan of a command read. */
  private readonly justRead = new Map<string, ReadFile>();

  constructor(around: ChangesPorts) {
    this.around = around;
    const { folders, files, blobs, clock, log, otherRuns, emit, recorded } = around;
    this.paths = new WorkspacePaths(files, folders);
    const show = (path: string) => this.paths.show(path);
    const scans = new CommandScans(clock, log);
    const checkpoints = new Checkpoints({ files, blobs, emit, recorded });
    // Nothing that a user decided waits for another scan.
    const userFiles = (decision: 'review' | 'rewind') =>
      writerFiles({ kind: 'person', decision }, files, checkpoints, otherRuns);
    const reviewing = userFiles('review');
    const ledger = new ReviewLedger({ files: reviewing, blobs, clock, log, show, emit, otherRuns });
    const readForReview = (path: string) => this.readForReview(path);
    this.wayBack = new WayBack({
      files: userFiles('rewind'),
      blobs,
      log,
      show,
      checkpoints,
      ledger,
      scans,
      readForReview,
    });
    this.scans = scans;
    this.checkpoints = checkpoints;
    this.ledger = ledger;
    this.stopListening = otherRuns.listen(readForReview);
  }

  /** For one call: its writes are checkpointed, and what nobody has reviewed waits for review. `scan`: at its texts. */
  filesOf(writer: CallWriter, scan: 'seen' | 'unseen'): WriterFiles {
    const { files } = this.around;
    // A command may continue through other chapters.
    const chapterId = this.around.chapterId();
    return writerFiles(writer, files, this.checkpoints, this.around.otherRuns, {
      text: (wanted, write) => this.reviewText(wanted, writer, scan, write),
      // A user who allowed a command has not seen what it writes.
      found: (change, by) => this.reviewFound(change, by, chapterId),
    });
  }

  /** Hears the session's events, its own among them. */
  fold(event: SessionEvent): void {
    this.checkpoints.fold(event);
  }

  /**
   * Looks in advance at what a command will be compared with, once: the first scan of a large folder takes long. A
   * command that comes meanwhile waits for the rest of it.
   */
  prepare(): Promise<void> {
    const { folders, versionControl, log, clock } = this.around;
    const scanEach = async () => {
      const wait = AbortSignal.any([this.closing.signal, this.answered.signal]);
      await clock.sleep(untilSentMs, wait).catch(() => this.closing.signal.throwIfAborted());
      for (const folder of folders) await versionControl.changedFiles(folder, this.closing.signal);
    };
    this.preparing ??= scanEach().catch(error =>
      log.debug(`What a command will be compared with is not known in advance: ${messageOf(error)}`),
    );
    return this.preparing;
  }

  /** An answer has come: what is scanned in advance no longer waits until its request has left. */
  hearAnswer(): void {
    if (!this.answered.signal.aborted) this.answered.abort();
  }

  /** Runs a call and tells what a command, or a tool of a server, changed beside what it said. */
  async watch<T>(
    call: WatchedCall,
    run: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly changes?: CommandChanges }> {
    const writes = call.effect === 'run' || call.effect === 'edit';
    if (writes) await this.scans.scanNow();
    if (call.effect !== 'run') {
      const result = await run();
      // A place that comes next must find in the journal what waits for review before it.
      await this.ledger.flush();
      return { result };
    }
    const watch = await this.beginWatch(call);
    const stopScanning = call.reads ? () => {} : this.scans.begin(watch);
    const end = () => this.endWatch(call, watch, stopScanning);
    const lasting = () => this.running(call);
    try {
      const result = await (call.mayStage && !call.reads ? this.gitUse.during(run, lasting) : run());
      return { result, changes: await end() };
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** After a resume. */
  async resume(reviews: readonly ReviewedFile[], shelved: readonly ShelvedFile[]): Promise<void> {
    await this.checkpoints.closeOpen();
    await this.ledger.restore(reviews, shelved);
  }

  private async beginWatch({ files: writing, signal, ...command }: WatchedCall): Promise<CommandWatch> {
    const { folders, files, blobs, versionControl, clock, otherRuns, alsoIgnored } = this.around;
    const { checkpoints } = this;
    const listNamed = alsoIgnored?.forCommand();
    const show = (path: string) => this.paths.show(path);
    // The ledger may not have heard yet of what another session, or another program, wrote.
    await this.readAllForReview();
    this.ledger.rememberAll();
    const around = { folders, files, blobs, versionControl, clock, show, checkpoints, otherRuns };
    return watchCommand({ ...around, listNamed, writing, command }, signal);
  }

  private async endWatch(
    call: WatchedCall,
    watch: CommandWatch,
    stopScanning: () => void,
  ): Promise<CommandChanges | undefined> {
    const { callId } = call;
    const goesOn = this.running(call);
    if (callId === undefined || !goesOn) {
      stopScanning();
      return this.compare(() => watch.end());
    }
    const changes = await this.compare(() => watch.scanAll());
    this.scans.goOn(watch, goesOn, stopScanning, this.growingTeller(callId, watch, changes.touched));
    return changes;
  }

  /** Resolves when the processes that the call has left have ended; `undefined`: none matters. */
  private running({ callId, reads }: WatchedCall): Promise<unknown> | undefined {
    return callId === undefined || reads ? undefined : this.around.otherRuns.running(callId);
  }

  /** Reports the files of a call whose command continues, when there are more of them, or they differ. */
  private growingTeller(callId: string, watch: CommandWatch, reported: readonly FileCounts[]): () => void {
    let before = reported;
    return () => {
      const { touched } = watch;
      if (JSON.stringify(touched) === JSON.stringify(before)) return;
      before = touched;
      this.around.emit({ type: 'call.changed', callId, touched });
    };
  }

  private async compare(scan: () => Promise<CommandChanges>): Promise<CommandChanges> {
    try {
      this.justRead.clear();
      const changes = await scan();
      await Promise.all(this.ledger.paths.map(path => this.readForReview(path, this.justRead.get(path))));
      this.justRead.clear();
      await this.ledger.flush();
      await this.around.recorded();
      return changes;
    } catch (error) {
      this.around.log.warn(`What a call changed is unknown: ${messageOf(error)}`);
      const uncovered = t('Folio could not determine what this changed, so a rewind does not restore it.');
      return { touched: [] as readonly FileCounts[], uncovered };
    }
  }

  /** The files written between two events, as they stood at the later one; links, and what was not kept, are left out. */
  async leftBetween(
    from: number,
    to: number,
  ): Promise<readonly (Pick<FileContent, 'bytes' | 'executable'> & { readonly path: string })[]> {
    const written = this.checkpoints.writtenBetween(from, to).map(async ({ path, after }) => {
      if (after.name === null) return [{ path, bytes: null }];
      if (linkNamed(after.name) !== undefined) return [];
      const bytes = await this.around.blobs.get(after.name);
      return bytes ? [{ path, bytes, executable: after.executable }] : [];
    });
    return (await Promise.all(written)).flat();
  }

  /** Commands that continue are no longer followed. */
  close(): Promise<void> {
    this.closing.abort();
    this.stopListening();
    return this.scans.close();
  }

  private async readAllForReview(): Promise<void> {
    await Promise.all(this.ledger.paths.map(path => this.readForReview(path)));
  }

  /** The ledger learns of a file that was written past it. @param known what has just been read of it */
  private async readForReview(path: string, known?: ReadFile): Promise<void> {
    const review = this.ledger.review(path);
    if (!review || review.by === 'file') return this.ledger.catchUp(path);
    const { files } = this.around;
    // Nobody has reported it since.
    const saved = known?.review === review ? known.bytes : undefined;
    // An editor may hold another text than the disk.
    const reading = saved ? files.readText(path, { bytes: saved }) : readOwnText(files, path);
    const read = await reading.catch(() => undefined);
    this.ledger.follow(path, read?.text ?? null);
    if (review.mode) await this.ledger.catchUp(path);
  }

  private async reviewFound(
    { path, before, after, since }: FoundChange,
    writer: Writer,
    chapterId: string,
  ): Promise<void> {
    const { files } = this.around;
    const [old, now, left] = await Promise.all(
      [before.bytes, after.bytes, since?.after].map(bytes => bytes && files.decode(path, bytes)),
    );
    const wasNone = before.bytes === null && before.link === undefined;
    const isText = now && (wasNone || (old && isSameFormat(old.format, now.format)));
    const isSameText = sameBytes(before.bytes, after.bytes);
    // A mode alone belongs to the whole, where that is what waits.
    const waiting = this.ledger.review(path);
    const isWhole = isSameText && waiting?.by === 'file' && pendingChanges(waiting).length > 0;
    if (!isText || isWhole) {
      const [was, is] = await Promise.all([before, after].map(content => wholeOf(files, path, content)));
      this.ledger.agentLeft(path, { before: was ?? null, after: is ?? null }, chapterId, writer);
      return;
    }
    // An editor may hold another text of a file whose mode alone changed, and that is known already.
    if (!isSameText || !this.ledger.knowsText(path))
      this.ledger.agentWrote(path, old?.text ?? null, now.text, now.format, chapterId, writer);
    const modes = { before: before.executable, after: after.executable ?? false };
    if (after.executable !== undefined) this.ledger.agentSetMode(path, modes, chapterId, writer);
    const review = this.ledger.review(path);
    if (!since && after.bytes && review) this.justRead.set(path, { bytes: after.bytes, review });
    else this.justRead.delete(path);
    if (left && since?.writer) this.ledger.otherLeft(path, left.text, since.writer);
  }

  private async reviewText(
    { path, text, format, before: { bytes: earlier } }: PlannedWrite,
    writer: Writer,
    scan: 'seen' | 'unseen',
    write: () => Promise<WrittenText>,
  ): Promise<WrittenText> {
    const before = earlier && (await this.around.files.readText(path, { bytes: earlier })).text;
    // Until the ledger knows whose text it is, nobody may tell it that it is there.
    const written = await this.ledger.hold(path, async () => {
      const ended = await write();
      if (scan === 'unseen')
        this.ledger.agentWrote(path, before, text, format, this.around.chapterId(), writer);
      return ended;
    });
    // A formatter may have changed the text while it was saved; that is not the agent's doing.
    const [{ bytes }, review] = [written.left, this.ledger.review(path)];
    await this.readForReview(path, review && bytes ? { bytes, review } : undefined);
    return written;
  }
}
