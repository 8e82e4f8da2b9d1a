import type { Stats } from 'node:fs';
import { errorCode } from '../../base/errors.ts';
import { asyncStatCalls, type StatCalls } from './statCalls.ts';

/**
 * The results of `stat` for files and folders that a cached value was made from, to find out whether it is stale. Holds
 * no content. A folder changes when an entry is added or removed, so a value made from a tree needs each folder and
 * each file of it.
 */
export class StatSnapshot {
  private readonly seen = new Map<string, string>();
  private readonly scans: StatCalls;
  private newest = 0;

  constructor(scans: StatCalls = asyncStatCalls) {
    this.scans = scans;
  }

  /** Records the state of a file or folder. Call it before reading. Rejects as `stat` does, and records that too. */
  async scan(path: string): Promise<Stats> {
    try {
      const found = await this.scans.stat(path);
      if (!found) throw Object.assign(new Error(nothing), { code: nothing });
      this.seen.set(path, stateOf(found));
      this.newest = Math.max(this.newest, found.mtimeMs, found.ctimeMs);
      return found;
    } catch (error) {
      this.seen.set(path, whyNot(error));
      throw error;
    }
  }

  /** Marks the value as not to be cached, since a read failed for an unknown reason. */
  doubt(): void {
    this.newest = Number.POSITIVE_INFINITY;
  }

  /**
   * Returns whether nothing changed shortly before the check. A recently changed file may change again unnoticed,
   * because file times have a resolution of up to two seconds.
   * @param at time before the first scan, milliseconds
   */
  isSettled(at: number): boolean {
    return at - this.newest > 2000;
  }

  async isUnchanged(): Promise<boolean> {
    const now = await Promise.all(
      [...this.seen].map(async ([path, state]) => state === (await this.readState(path))),
    );
    return now.every(Boolean);
  }

  private async readState(path: string): Promise<string> {
    try {
      const found = await this.scans.stat(path);
      return found ? stateOf(found) : nothing;
    } catch (error) {
      return whyNot(error);
    }
  }
}

const nothing = 'ENOENT';

function stateOf({ dev, ino, size, mode, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mode, mtimeMs, ctimeMs].join();
}

function whyNot(error: unknown): string {
  return errorCode(error) ?? 'unknown';
}
