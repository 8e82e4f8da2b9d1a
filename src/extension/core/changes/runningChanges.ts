/*
 * Knows what a command has changed so far. Files are scanned while the command runs, and of one that still changes
 * nothing is told until it has stood as it is for two scans:
 *
 *     look            1        2        3        end
 *     a.txt   written ·  same  told ·   ·        ·       told as it is at the end, where it differs
 *     b.txt   ·       written  written  same     told
 */

import { sumCounts } from '../../../protocol/changes.ts';
import type { FileCounts } from '../../../protocol/values.ts';
import { type FileContent, nameOf } from './bytes.ts';
import type { RunWatch } from './otherRuns.ts';

export interface CommandChanges {
  readonly touched: readonly FileCounts[];
  /** One sentence about changes that a rewind will not put back. */
  readonly uncovered?: string;
}

/** A file that was told of, by all that was found of it in one scan. */
export interface ReportedFile extends FileCounts {
  readonly before: FileContent;
  readonly after: FileContent;
}

export interface CheckedHook {
  readonly reported: readonly ReportedFile[];
  readonly uncovered?: string;
}

/** Knows files by how they looked, and says which of them have come to rest. */
export class Settling {
  private last = new Map<string, string>();
  private now = new Map<string, string>();
  private readonly reported = new Map<string, string>();

  beginScan(): void {
    this.last = this.now;
    this.now = new Map();
  }

  /** It is as at the last scan, and was not told of as it is. */
  hasSettled(path: string, scans: string): boolean {
    this.now.set(path, scans);
    if (this.last.get(path) !== scans || this.reported.get(path) === scans) return false;
    this.reported.set(path, scans);
    return true;
  }

  /** Something changes: it pays to look again soon. */
  get isBusy(): boolean {
    return [...this.now].some(([path, scans]) => this.reported.get(path) !== scans);
  }
}

type Compare = (settling: Settling | undefined, by: 'writer' | 'someone') => Promise<CheckedHook>;

export class CommandWatch {
  private readonly watch: RunWatch;
  private readonly compare: Compare;
  private readonly reads: boolean;
  private readonly settling = new Settling();
  private readonly reported = new Map<string, Pick<FileCounts, 'path' | 'executable'> & Reported>();
  private concurrency: ReturnType<RunWatch['concurrency']> = 'alone';
  private scanning: Promise<unknown> = Promise.resolve();

  /**
   * @param compare reports what has changed, only of what has settled if it gets something to know that by
   * @param reads a command that is known to only read has not written what is found
   */
  constructor(watch: RunWatch, compare: Compare, reads: boolean) {
    this.watch = watch;
    this.compare = compare;
    this.reads = reads;
  }

  /** While it runs. Looks are made one after the other. */
  scanSettled(): Promise<'busy' | 'quiet'> {
    return this.inOrder(async () => {
      if (this.watch.isSecond()) return 'quiet';
      this.settling.beginScan();
      await this.scan(this.settling);
      return this.settling.isBusy ? 'busy' : 'quiet';
    });
  }

  /** Reports all, settled or not: what comes next may be another one's. */
  scanAll(): Promise<CommandChanges> {
    return this.inOrder(async () => {
      const uncovered = await this.scan(undefined);
      const { touched } = this;
      return uncovered === undefined ? { touched } : { touched, uncovered };
    });
  }

  /** All files that it was found to have changed so far. */
  get touched(): readonly FileCounts[] {
    return [...this.reported.values()]
      .filter(({ from, to }) => from !== to)
      .map(({ path, counts, executable }) => ({ path, ...sumCounts(counts), executable }));
  }

  /** The call has ended, and the command continues. */
  last(): void {
    this.watch.last();
  }

  async end(): Promise<CommandChanges> {
    await this.watch.end();
    return this.scanAll();
  }

  private async scan(settling: Settling | undefined): Promise<string | undefined> {
    const concurrency = this.watch.concurrency();
    // Changes that are told of now may have been written before the last scan.
    const isAlone = concurrency === 'alone' && this.concurrency === 'alone';
    this.concurrency = concurrency;
    const { reported, uncovered } = await this.compare(
      settling,
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
    // The caller who asked hears of a failure; the next scan is made all the same.
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
  return `${nameOf(content)} ${content.executable}`;
}
