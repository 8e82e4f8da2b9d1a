/*
 * Collects a command's changes while it runs. A file is only reported once two scans in a row find it unchanged:
 *
 *     scan            1        2        3             end
 *     a.txt   written ·  same  reported ·   ·         ·       reported again if it differs at the end
 *     b.txt   ·       written  written  same          reported
 */

import { sumCounts } from '../../../protocol/changes.ts';
import type { FileCounts } from '../../../protocol/values.ts';
import { contentId, type FileContent } from './bytes.ts';
import type { ConcurrencyWatch } from './concurrentRuns.ts';

export interface CommandChanges {
  readonly touched: readonly FileCounts[];
  /** One sentence about changes that a rewind cannot restore. */
  readonly uncovered?: string;
}

/** A reported file with everything that one scan found about it. */
export interface ReportedFile extends FileCounts {
  readonly before: FileContent;
  readonly after: FileContent;
}

export interface ScanResult {
  readonly reported: readonly ReportedFile[];
  readonly uncovered?: string;
}

/** Remembers the state of files at each scan, and tells which have stopped changing. */
export class FileStability {
  private last = new Map<string, string>();
  private now = new Map<string, string>();
  private readonly reported = new Map<string, string>();

  beginScan(): void {
    this.last = this.now;
    this.now = new Map();
  }

  /** True if the file is as in the last scan and this state was not reported yet. */
  hasSettled(path: string, scans: string): boolean {
    this.now.set(path, scans);
    if (this.last.get(path) !== scans || this.reported.get(path) === scans) return false;
    this.reported.set(path, scans);
    return true;
  }

  /** True while some file changes, so that scanning again soon pays off. */
  get isBusy(): boolean {
    return [...this.now].some(([path, scans]) => this.reported.get(path) !== scans);
  }
}

type Compare = (stability: FileStability | undefined, by: 'writer' | 'someone') => Promise<ScanResult>;

export class CommandWatch {
  private readonly watch: ConcurrencyWatch;
  private readonly compare: Compare;
  private readonly reads: boolean;
  private readonly stability = new FileStability();
  private readonly reported = new Map<string, Pick<FileCounts, 'path' | 'executable'> & Reported>();
  private concurrency: ReturnType<ConcurrencyWatch['concurrency']> = 'alone';
  private scanning: Promise<unknown> = Promise.resolve();

  /**
   * @param compare reports changes; with `stability`, only of files that stopped changing
   * @param reads the command is known to be read-only, so others made the changes
   */
  constructor(watch: ConcurrencyWatch, compare: Compare, reads: boolean) {
    this.watch = watch;
    this.compare = compare;
    this.reads = reads;
  }

  /** Scans while the command runs, one scan at a time. */
  scanSettled(): Promise<'busy' | 'quiet'> {
    return this.inOrder(async () => {
      if (this.watch.isSecond()) return 'quiet';
      this.stability.beginScan();
      await this.scan(this.stability);
      return this.stability.isBusy ? 'busy' : 'quiet';
    });
  }

  /** Reports all changes, also of files that still change, since the next writer may be another. */
  scanAll(): Promise<CommandChanges> {
    return this.inOrder(async () => {
      const uncovered = await this.scan(undefined);
      const { touched } = this;
      return uncovered === undefined ? { touched } : { touched, uncovered };
    });
  }

  /** All changed files found so far. */
  get touched(): readonly FileCounts[] {
    return [...this.reported.values()]
      .filter(({ from, to }) => from !== to)
      .map(({ path, counts, executable }) => ({ path, ...sumCounts(counts), executable }));
  }

  /** Call when the command outlives its call. */
  last(): void {
    this.watch.last();
  }

  async end(): Promise<CommandChanges> {
    await this.watch.end();
    return this.scanAll();
  }

  private async scan(stability: FileStability | undefined): Promise<string | undefined> {
    const concurrency = this.watch.concurrency();
    // Changes found now may have been written before the last scan.
    const isAlone = concurrency === 'alone' && this.concurrency === 'alone';
    this.concurrency = concurrency;
    const { reported, uncovered } = await this.compare(
      stability,
      isAlone && !this.reads ? 'writer' : 'someone',
    );
    for (const file of reported) this.add(file);
    return uncovered;
  }

  private add({ path, before, after, executable, ...counts }: ReportedFile): void {
    const known = this.reported.get(path);
    const from = known?.from ?? nameWithMode(before);
    const all = [...(known?.counts ?? []), counts];
    this.reported.set(path, { path, executable, from, to: nameWithMode(after), counts: all });
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const own = this.scanning.then(work);
    // A failure is reported to the caller; the next scan runs nevertheless.
    this.scanning = own.catch(() => undefined);
    return own;
  }
}

interface Reported {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly Pick<FileCounts, 'added' | 'removed' | 'cells'>[];
}

function nameWithMode(content: FileContent): string {
  return `${contentId(content)} ${content.executable}`;
}
