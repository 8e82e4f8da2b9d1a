/* Coverage files and profiles, whatever their format. */

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
  /** The name of what was measured; empty: the format says it. */
  readonly of: string;
  readonly total: number;
  readonly functions: readonly ProfiledFunction[];
}

/** The objects of one constructor. */
export interface HeapRow {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
}

/** A place in the tree of calls. */
export interface ProfileNode {
  /** The key of its function. */
  readonly key: string;
  readonly children: readonly number[];
  self: number;
}

export interface CoveredFile {
  /** As the report names it. */
  readonly path: string;
  /** Executable lines from 1, with how often each ran. */
  readonly lines: ReadonlyMap<number, number>;
}

export interface ProfiledFunction {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** In itself, and with all that it called. */
  readonly self: number;
  readonly total: number;
}

/** The report cannot be used; the message is a sentence for the model, in English. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Executable lines of all files. The largest projects have fewer; more would fill the memory. */
const mostLines = 4_000_000;

/** Collects lines of files whose parts may come in any order, and more than once. */
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
