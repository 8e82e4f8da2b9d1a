/*
 * Everything that a session knows of the files it changed: checkpoints, what waits for review, and going back.
 * Whoever writes does it through files of its own (`filesOf`); calls run inside of `watch`.
 */

import type { RestoredFile, ReviewedFile, Writer } from '../../../protocol/changes.ts';
import type { Effect, FileCounts, SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import { decodeText } from '../../platform/textBytes.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import { WorkspacePaths } from '../paths.ts';
import type { FileBytes } from './bytes.ts';
import { Checkpoints, type WrittenFile } from './checkpoints.ts';
import { type CommandChanges, watchCommand } from './commandWatch.ts';
import { ReviewLedger } from './ledger.ts';
import { isSameFormat, planRestoration, restore } from './restoreFile.ts';
import { type WantedText, type WriterFiles, writerFiles } from './writerFiles.ts';

export interface ChangesSurroundings {
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly clock: Clock;
  readonly log: Log;
  readonly emit: (event: SessionEventBody) => void;
  /** What was emitted is in the journal. */
  readonly recorded: () => Promise<void>;
  /** Id of the chapter that grows. */
  readonly chapterId: () => string;
}

/** The person decides without a call. */
export type CallWriter = Exclude<Writer, { readonly kind: 'person' }>;

/** A call that is about to run. */
export interface WatchedCall {
  readonly effect: Effect;
  /** What it changes past them is found afterwards and counts as its write, too. */
  readonly files: WriterFiles;
  /** It is a command that is known to only read. */
  readonly reads: boolean;
  readonly signal: AbortSignal;
}

/** What to undo: the writes behind one event of the journal and not behind another. */
export interface Restoring {
  readonly from: number;
  readonly to?: number;
  /** What waited for review at `from`. */
  readonly reviews: readonly ReviewedFile[];
}

export class Changes {
  readonly ledger: ReviewLedger;
  private readonly around: ChangesSurroundings;
  private readonly paths: WorkspacePaths;
  private readonly checkpoints: Checkpoints;
  /** What the newest rewind was about. */
  private restored: readonly WrittenFile[] = [];

  constructor(around: ChangesSurroundings) {
    this.around = around;
    const { files, blobs, clock, log, emit, recorded } = around;
    this.paths = new WorkspacePaths(files, around.folders);
    this.checkpoints = new Checkpoints({ files, blobs, emit, recorded });
    const show = (path: string) => this.paths.show(path);
    const reviewing = this.personsFiles('review');
    this.ledger = new ReviewLedger({ files: reviewing, blobs, clock, log, show, emit });
  }

  /** For one call: its writes are checkpointed, and what nobody has looked at waits for review. `look`: at its texts. */
  filesOf(writer: CallWriter, look: 'seen' | 'unseen'): WriterFiles {
    const { files } = this.around;
    return writerFiles(writer, files, this.checkpoints, {
      text: (wanted, write) => this.reviewText(wanted, writer, look, write),
      // Whoever allowed a command has not looked at what it writes.
      found: async (path, before, after) => this.reviewFound(path, writer, before, after),
    });
  }

  /** Hears the session's events, its own among them. */
  fold(event: SessionEvent): void {
    this.checkpoints.fold(event);
  }

  /** Runs a call and tells what a command, or a tool of a server, changed beside what it said. */
  async watch<T>(
    call: WatchedCall,
    run: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly changes?: CommandChanges }> {
    if (call.effect !== 'run') {
      const result = await run();
      // A place that comes next must find in the journal what waits for review before it.
      await this.ledger.flush();
      return { result };
    }
    const { folders, files, blobs, versionControl, clock } = this.around;
    const show = (path: string) => this.paths.show(path);
    const look = await watchCommand(
      {
        folders,
        files,
        blobs,
        versionControl,
        clock,
        show,
        checkpoints: this.checkpoints,
        writing: call.files,
        reads: call.reads,
      },
      call.signal,
    );
    this.ledger.rememberAll();
    try {
      const result = await run();
      return { result, changes: await this.compare(look) };
    } catch (error) {
      await this.compare(look);
      throw error;
    }
  }

  /** What putting files back to a place in the journal would do. Writes nothing. */
  async plan(seq: number): Promise<readonly RestoredFile[]> {
    const files = this.checkpoints.writtenBetween(seq);
    const planned = await Promise.all(files.map(file => this.planFile(file)));
    return planned.filter(file => file !== undefined);
  }

  /** Puts files back as they were. One that cannot be written does not keep the others back. */
  async restore({ from, to, reviews }: Restoring): Promise<readonly RestoredFile[]> {
    const restored: RestoredFile[] = [];
    const files = this.checkpoints.writtenBetween(from, to);
    this.checkpoints.beginPlace();
    this.restored = files;
    for (const file of files) {
      const review = reviews.find(each => each.path === file.path);
      const result = await this.restoreFile(file, review);
      if (result) restored.push(result);
    }
    await this.ledger.flush();
    return restored;
  }

  /** What the newest rewind wanted a file to hold, for a person who is to choose. */
  async readWanted(shown: string): Promise<{ readonly path: string; readonly bytes: FileBytes } | undefined> {
    for (const { path, before } of this.restored) {
      if ((await this.paths.show(path)) !== shown) continue;
      const bytes = before === null ? null : await this.around.blobs.get(before);
      return bytes === undefined ? undefined : { path, bytes };
    }
    return undefined;
  }

  /** After a resume. */
  async resume(reviews: readonly ReviewedFile[]): Promise<void> {
    await this.checkpoints.closeOpen();
    await this.ledger.restore(reviews);
  }

  private async compare(look: () => Promise<CommandChanges>): Promise<CommandChanges | undefined> {
    try {
      const changes = await look();
      await Promise.all(this.ledger.paths.map(path => this.readForReview(path)));
      await this.ledger.flush();
      return changes;
    } catch (error) {
      this.around.log.warn(`What a call changed is unknown: ${messageOf(error)}`);
      const uncovered = 'What this changed could not be found out, so a rewind does not put it back.';
      return { touched: [] as readonly FileCounts[], uncovered };
    }
  }

  private async planFile(file: WrittenFile): Promise<RestoredFile | undefined> {
    const plan = await planRestoration(file, this.around);
    if (plan.kind === 'unchanged') return undefined;
    const results = { delete: 'deleted', text: 'merged' } as const;
    const result = plan.kind === 'blocked' || plan.kind === 'bytes' ? plan.result : results[plan.kind];
    return { path: await this.paths.show(file.path), result, ...plan.counts };
  }

  private async restoreFile(
    file: WrittenFile,
    review: ReviewedFile | undefined,
  ): Promise<RestoredFile | undefined> {
    const path = await this.paths.show(file.path);
    const plan = await planRestoration(file, this.around);
    if (plan.kind === 'unchanged') return undefined;
    try {
      const result = await restore(file.path, plan, this.personsFiles('rewind'));
      if (plan.kind === 'blocked') await this.readForReview(file.path);
      else await this.ledger.takeUp(file.path, review);
      return result && { path, result, ...plan.counts };
    } catch (error) {
      this.around.log.warn(`${file.path} was not put back: ${messageOf(error)}`);
      return { path, result: 'conflict', ...plan.counts };
    }
  }

  /** The ledger learns of a file that was written past it. */
  private async readForReview(path: string): Promise<void> {
    if (!this.ledger.review(path)) return;
    const file = await this.around.files.readText(path).catch(() => null);
    this.ledger.follow(path, file?.text ?? null);
  }

  /** Nothing that a person decided waits for another look. */
  private personsFiles(decision: 'review' | 'rewind'): WriterFiles {
    return writerFiles({ kind: 'person', decision }, this.around.files, this.checkpoints);
  }

  private reviewFound(path: string, writer: Writer, before: FileBytes, after: FileBytes): void {
    const [old, now] = [before && decodeText(before), after && decodeText(after)];
    const isText = now && (before === null || (old && isSameFormat(old.format, now.format)));
    if (!isText) return;
    this.ledger.agentWrote(path, old?.text ?? null, now.text, now.format, this.around.chapterId(), writer);
  }

  private async reviewText(
    { path, text, format }: WantedText,
    writer: Writer,
    look: 'seen' | 'unseen',
    write: () => Promise<void>,
  ): Promise<void> {
    const before = look === 'seen' ? null : await readIfThere(this.around.files, path);
    // Until the ledger knows whose text it is, nobody may tell it that it is there.
    await this.ledger.hold(path, async () => {
      await write();
      if (look === 'unseen')
        this.ledger.agentWrote(path, before, text, format, this.around.chapterId(), writer);
    });
    // A formatter may have changed the text while it was saved; that is not the agent's doing.
    await this.readForReview(path);
  }
}

async function readIfThere(files: FileSystem, path: string): Promise<string | null> {
  const stat = await files.stat(path);
  return stat ? (await files.readText(path)).text : null;
}
