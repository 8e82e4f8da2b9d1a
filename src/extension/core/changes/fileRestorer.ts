/* Restores files: reverts what was written since a place in the journal, or by certain calls. */

import type { ReviewedFile } from '../../../protocol/changes.ts';
import type { RestoredFile } from '../../../protocol/values.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import type { AttributedFileSystem } from './attributedFileSystem.ts';
import type { Checkpoints, WrittenFile } from './checkpoints.ts';
import type { CommandScans } from './commandScans.ts';
import type { ReviewLedger } from './ledger.ts';
import { applyRestoration, planRestoration } from './restoreFile.ts';

interface FileRestorerPorts {
  /** Files with the user as writer. */
  readonly files: AttributedFileSystem;
  readonly blobs: BlobStore;
  readonly log: Log;
  /** Formats a path for users. */
  readonly show: (path: string) => Promise<string>;
  readonly checkpoints: Checkpoints;
  readonly ledger: ReviewLedger;
  readonly scans: Pick<CommandScans, 'scanNow'>;
  /** Updates the ledger for a file that was written outside it. */
  readonly readForReview: (path: string) => Promise<void>;
}

/** The writes to revert, between two events of the journal. */
interface Restoring {
  readonly from: number;
  readonly to?: number;
  /** Files with pending changes at `from`. */
  readonly reviews: readonly ReviewedFile[];
}

export class FileRestorer {
  private readonly around: FileRestorerPorts;
  /** Files of the latest rewind. */
  private restored: readonly WrittenFile[] = [];

  constructor(around: FileRestorerPorts) {
    this.around = around;
  }

  /** Plans restoring files to a place in the journal. Writes nothing. */
  async plan(seq: number): Promise<readonly RestoredFile[]> {
    const { scans, checkpoints } = this.around;
    await scans.scanNow();
    return this.planFiles(checkpoints.writtenBetween(seq));
  }

  /** Plans reverting the writes of these calls. */
  async planCalls(callIds: ReadonlySet<string>): Promise<readonly RestoredFile[]> {
    const { scans, checkpoints } = this.around;
    await scans.scanNow();
    return this.planFiles(checkpoints.writtenBy(callIds));
  }

  /** Restores files. A failure does not keep others from being restored. */
  async restore({ from, to, reviews }: Restoring): Promise<readonly RestoredFile[]> {
    const { scans, checkpoints, ledger } = this.around;
    await scans.scanNow();
    const reviewOf = (path: string) => reviews.find(each => each.path === path);
    const takeUp = (path: string) => ledger.takeUp(path, reviewOf(path));
    return this.restoreFiles(checkpoints.writtenBetween(from, to), takeUp);
  }

  /** Reverts what these calls wrote, and keeps what others wrote in between and since. */
  async restoreCalls(callIds: ReadonlySet<string>): Promise<readonly RestoredFile[]> {
    const { scans, checkpoints, readForReview } = this.around;
    await scans.scanNow();
    return this.restoreFiles(checkpoints.writtenBy(callIds), readForReview);
  }

  /** Reads the text that the latest rewind wanted for a file, to let the user choose. Empty: no file. */
  async readWanted(shown: string): Promise<{ readonly path: string; readonly text: string } | undefined> {
    const { blobs, files, show } = this.around;
    for (const { path, before } of this.restored) {
      if ((await show(path)) !== shown) continue;
      if (before.name === null) return { path, text: '' };
      const bytes = await blobs.get(before.name);
      const file = bytes && (await files.decode(path, bytes));
      return file && { path, text: file.text };
    }
    return undefined;
  }

  private async planFiles(files: readonly WrittenFile[]): Promise<readonly RestoredFile[]> {
    const planned = await Promise.all(files.map(file => this.planFile(file)));
    return planned.filter(file => file !== undefined);
  }

  private async restoreFiles(
    files: readonly WrittenFile[],
    review: (path: string) => Promise<void>,
  ): Promise<readonly RestoredFile[]> {
    const { checkpoints, ledger } = this.around;
    const restored: RestoredFile[] = [];
    checkpoints.beginPlace();
    this.restored = files;
    for (const file of files) {
      const result = await this.restoreFile(file, review);
      if (result) restored.push(result);
    }
    await ledger.flush();
    return restored;
  }

  private async planFile(file: WrittenFile): Promise<RestoredFile | undefined> {
    const plan = await planRestoration(file, this.around);
    if (plan.kind === 'unchanged') return undefined;
    const results = { delete: 'deleted', text: 'merged', mode: 'restored', link: 'restored' } as const;
    const result = plan.kind === 'blocked' || plan.kind === 'bytes' ? plan.result : results[plan.kind];
    return { path: await this.around.show(file.path), result, ...plan.counts };
  }

  private async restoreFile(
    file: WrittenFile,
    review: (path: string) => Promise<void>,
  ): Promise<RestoredFile | undefined> {
    const { files, log, show, readForReview } = this.around;
    const path = await show(file.path);
    const plan = await planRestoration(file, this.around);
    if (plan.kind === 'unchanged') return undefined;
    try {
      const result = await applyRestoration(file.path, plan, files);
      if (plan.kind === 'blocked') await readForReview(file.path);
      else await review(file.path);
      return result && { path, result, ...plan.counts };
    } catch (error) {
      log.warn(`${file.path} was not put back: ${messageOf(error)}`);
      return { path, result: 'conflict', ...plan.counts };
    }
  }
}
