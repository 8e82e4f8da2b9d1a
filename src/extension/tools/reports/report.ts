/* Coverage files and profiles, independent of their format. */

export type Report =
  | {
      readonly kind: 'coverage';
      readonly format: string;
      readonly files: readonly CoveredFile[];
      readonly isCut: boolean;
    }
  | ({ readonly kind: 'profile' } & Profile)
  | {
      readonly kind: 'heap';
      readonly format: string;
      /** Bytes. */
      readonly total: number;
      readonly rows: readonly HeapRow[];
    };

export interface Profile {
  readonly format: string;
  readonly measure: 'microseconds' | 'bytes' | 'count';
  /** Name of the measured quantity; empty if the format implies it. */
  readonly of: string;
  readonly total: number;
  readonly functions: readonly ProfiledFunction[];
}

/** All objects of one constructor. */
export interface HeapRow {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
}

export interface ProfileNode {
  /** Key of its function. */
  readonly key: string;
  readonly children: readonly number[];
  self: number;
}

export interface CoveredFile {
  /** Path as in the report. */
  readonly path: string;
  /** Executable lines from 1, with their hit counts. */
  readonly lines: ReadonlyMap<number, number>;
}

export interface ProfiledFunction {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** Excluding and including the functions it called. */
  readonly self: number;
  readonly total: number;
}

/** The report is unusable. The message is a sentence for the model, in English. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Executable lines of all files. More than the largest projects have, and little enough for memory. */
const mostLines = 4_000_000;

/** Collects lines of files whose parts arrive in any order, possibly repeated. */
export class Coverage {
  private readonly files = new Map<string, Map<number, number>>();
  private count = 0;

  add(path: string, line: number, hits: number): void {
    const lines = this.files.get(path) ?? new Map<number, number>();
    this.files.set(path, lines);
    const before = lines.get(line);
    if (before === undefined && ++this.count > mostLines)
      throw new ReportError('It names too many lines. Write it for fewer files.');
    lines.set(line, (before ?? 0) + hits);
  }

  get all(): readonly CoveredFile[] {
    return [...this.files].map(([path, lines]) => ({ path, lines }));
  }
}
