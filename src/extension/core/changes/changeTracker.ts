/*
 * A session's file changes: checkpoints, pending reviews and restoring. Each writer has its own file system
 * (`filesOf`); calls run inside `watch`.
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
import {
  type AttributedFileSystem,
  type FoundChange,
  makeAttributedFiles,
  type PlannedWrite,
  type WrittenText,
} from './attributedFileSystem.ts';
import { type FileContent, linkTargetOf, sameBytes } from './bytes.ts';
import { Checkpoints } from './checkpoints.ts';
import { CommandScans } from './commandScans.ts';
import { watchCommand } from './commandWatch.ts';
import type { ConcurrentRunsView } from './concurrentRuns.ts';
import { FileRestorer } from './fileRestorer.ts';
import { GitCommandTracker } from './gitCommandTracker.ts';
import type { IncludedIgnoredFiles } from './includedIgnoredFiles.ts';
import { ReviewLedger } from './ledger.ts';
import type { CommandChanges, CommandWatch } from './runningChanges.ts';
import { readTextUnlessLinked, toWholeFile } from './wholeFiles.ts';

/**
 * Milliseconds to let a started request leave. The user waits for its answer anyway, so scanning costs nothing then.
 */
const untilSentMs = 250;

interface ChangesPorts {
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly clock: Clock;
  readonly log: Log;
  readonly concurrentRuns: ConcurrentRunsView;
  /** Files of `folio.review.alsoIgnored`: reviewed after a command changes them, though Git ignores them. */
  readonly alsoIgnored?: Pick<IncludedIgnoredFiles, 'forCommand'>;
  readonly emit: (event: SessionEventBody) => void;
  /** Resolves once everything emitted so far is in the journal. */
  readonly recorded: () => Promise<void>;
  readonly chapterId: () => string;
}

/** A call that may write. The user's decisions have no call. */
export type CallWriter = Extract<Writer, { readonly kind: 'call' | 'command' }>;

interface WatchedCall {
  readonly effect: Effect;
  /** The writer's file system. Changes that bypass it are detected later and attributed to the same writer. */
  readonly files: AttributedFileSystem;
  /** The command is known to be read-only. */
  readonly reads: boolean;
  /** The command names Git. */
  readonly usesGit?: boolean;
  /** The call may change Git's index. */
  readonly mayStage?: boolean;
  readonly signal: AbortSignal;
  /** Id under which its processes may outlive the call; absent: it leaves none. */
  readonly callId?: string;
}

/** Content of a file together with the review that already covers it. */
interface ReadFile {
  readonly bytes: Uint8Array;
  readonly review: FileReview;
}

export class ChangeTracker {
  readonly ledger: ReviewLedger;
  readonly restorer: FileRestorer;
  readonly gitTracker = new GitCommandTracker();
  private readonly around: ChangesPorts;
  private readonly paths: WorkspacePaths;
  private readonly checkpoints: Checkpoints;
  private readonly scans: CommandScans;
  private readonly closing = new AbortController();
  private readonly answered = new AbortController();
  private readonly stopListening: () => void;
  private preparing: Promise<void> | undefined;
  /** Files that the latest scan of a command read. */
  private readonly justRead = new Map<string, ReadFile>();

  constructor(around: ChangesPorts) {
    this.around = around;
    const { folders, files, blobs, clock, log, concurrentRuns, emit, recorded } = around;
    this.paths = new WorkspacePaths(files, folders);
    const show = (path: string) => this.paths.show(path);
    const scans = new CommandScans(clock, log);
    const checkpoints = new Checkpoints({ files, blobs, emit, recorded });
    // Decisions of users never wait for a scan.
    const userFiles = (decision: 'review' | 'rewind') =>
      makeAttributedFiles({ kind: 'person', decision }, files, checkpoints, concurrentRuns);
    const reviewing = userFiles('review');
    const ledger = new ReviewLedger({ files: reviewing, blobs, clock, log, show, emit, concurrentRuns });
    const readForReview = (path: string) => this.readForReview(path);
    this.restorer = new FileRestorer({
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
    this.stopListening = concurrentRuns.listen(readForReview);
  }

  /**
   * Returns the file system of one call: writes are checkpointed, and unreviewed ones wait for review. `scan`: whether
   * the user has seen the texts.
   */
  filesOf(writer: CallWriter, scan: 'seen' | 'unseen'): AttributedFileSystem {
    const { files } = this.around;
    // A command may run on through later chapters.
    const chapterId = this.around.chapterId();
    return makeAttributedFiles(writer, files, this.checkpoints, this.around.concurrentRuns, {
      text: (wanted, write) => this.reviewText(wanted, writer, scan, write),
      // A user who allowed a command has not seen what it writes.
      found: (change, by) => this.reviewFound(change, by, chapterId),
    });
  }

  /** Applies an event of the session, including those emitted here. */
  fold(event: SessionEvent): void {
    this.checkpoints.fold(event);
  }

  /**
   * Scans once, in advance, what commands will be compared with, since the first scan of a large folder is slow. A
   * command that starts meanwhile waits for it.
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

  /** Starts the advance scan now, since an answer has arrived and its request need not be waited for. */
  hearAnswer(): void {
    if (!this.answered.signal.aborted) this.answered.abort();
  }

  /** Runs a call and finds changes of a command, or a server's tool, that it did not report. */
  async watch<T>(
    call: WatchedCall,
    run: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly changes?: CommandChanges }> {
    const writes = call.effect === 'run' || call.effect === 'edit';
    if (writes) await this.scans.scanNow();
    if (call.effect !== 'run') {
      const result = await run();
      // The next event that a rewind can target needs all pending reviews in the journal before it.
      await this.ledger.flush();
      return { result };
    }
    const watch = await this.beginWatch(call);
    const stopScanning = call.reads ? () => {} : this.scans.begin(watch);
    const end = () => this.endWatch(call, watch, stopScanning);
    const lasting = () => this.running(call);
    try {
      const result = await (call.mayStage && !call.reads ? this.gitTracker.during(run, lasting) : run());
      return { result, changes: await end() };
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** Continues after a session was resumed. */
  async resume(reviews: readonly ReviewedFile[], shelved: readonly ShelvedFile[]): Promise<void> {
    await this.checkpoints.closeOpen();
    await this.ledger.restore(reviews, shelved);
  }

  private async beginWatch({ files: writing, signal, ...command }: WatchedCall): Promise<CommandWatch> {
    const { folders, files, blobs, versionControl, clock, concurrentRuns, alsoIgnored } = this.around;
    const { checkpoints } = this;
    const listNamed = alsoIgnored?.forCommand();
    const show = (path: string) => this.paths.show(path);
    // The ledger may not know yet what another session or program wrote.
    await this.readAllForReview();
    this.ledger.rememberAll();
    const around = { folders, files, blobs, versionControl, clock, show, checkpoints, concurrentRuns };
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

  /** Resolves when processes left by the call have ended; `undefined`: none matters. */
  private running({ callId, reads }: WatchedCall): Promise<unknown> | undefined {
    return callId === undefined || reads ? undefined : this.around.concurrentRuns.running(callId);
  }

  /** Reports the files of a command that outlives its call, whenever they change. */
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

  /**
   * Returns the files written between two events, with their content at the later one. Omits links and lost contents.
   */
  async leftBetween(
    from: number,
    to: number,
  ): Promise<readonly (Pick<FileContent, 'bytes' | 'executable'> & { readonly path: string })[]> {
    const written = this.checkpoints.writtenBetween(from, to).map(async ({ path, after }) => {
      if (after.name === null) return [{ path, bytes: null }];
      if (linkTargetOf(after.name) !== undefined) return [];
      const bytes = await this.around.blobs.get(after.name);
      return bytes ? [{ path, bytes, executable: after.executable }] : [];
    });
    return (await Promise.all(written)).flat();
  }

  /** Stops watching commands that still run. */
  close(): Promise<void> {
    this.closing.abort();
    this.stopListening();
    return this.scans.close();
  }

  private async readAllForReview(): Promise<void> {
    await Promise.all(this.ledger.paths.map(path => this.readForReview(path)));
  }

  /** Updates the ledger for a file that was written outside it. @param known content that was just read */
  private async readForReview(path: string, known?: ReadFile): Promise<void> {
    const review = this.ledger.review(path);
    if (!review || review.by === 'file') return this.ledger.catchUp(path);
    const { files } = this.around;
    // Nobody has reported a change since.
    const saved = known?.review === review ? known.bytes : undefined;
    // An editor may hold a text that differs from the file.
    const reading = saved ? files.readText(path, { bytes: saved }) : readTextUnlessLinked(files, path);
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
    // A change of mode joins a pending review of the file as a whole.
    const waiting = this.ledger.review(path);
    const isWhole = isSameText && waiting?.by === 'file' && pendingChanges(waiting).length > 0;
    if (!isText || isWhole) {
      const [was, is] = await Promise.all([before, after].map(content => toWholeFile(files, path, content)));
      this.ledger.agentLeft(path, { before: was ?? null, after: is ?? null }, chapterId, writer);
      return;
    }
    // If only the mode changed, an editor's unsaved text of the file is known already.
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
    // The ledger must know the writer before anybody reports the text.
    const written = await this.ledger.hold(path, async () => {
      const ended = await write();
      if (scan === 'unseen')
        this.ledger.agentWrote(path, before, text, format, this.around.chapterId(), writer);
      return ended;
    });
    // A formatter may have changed the text on save, which is not the agent's change.
    const [{ bytes }, review] = [written.left, this.ledger.review(path)];
    await this.readForReview(path, review && bytes ? { bytes, review } : undefined);
    return written;
  }
}
