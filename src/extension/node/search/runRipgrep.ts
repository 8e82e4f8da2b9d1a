import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import { SearchError } from '../../platform/search.ts';

interface RipgrepRun {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** Separator of output records. */
  readonly end: '\n' | '\0';
  /** Receives each record in order. Returning `false` ends the search. */
  readonly take: (piece: string) => boolean;
  readonly signal: AbortSignal;
  /** Text for standard input. */
  readonly input?: Iterable<string>;
}

/** Rejects with a `SearchError` if ripgrep rejects the query, or with the signal's reason on abort. */
export async function runRipgrep(run: RipgrepRun): Promise<void> {
  run.signal.throwIfAborted();
  const child = start(run);
  const kill = () => child.kill('SIGKILL');
  run.signal.addEventListener('abort', kill, { once: true });
  try {
    const { code, complaint, enough } = await follow(child, run);
    run.signal.throwIfAborted();
    // Code 2 without a message means that some files were unreadable; keep the other results.
    if (!enough && code !== 0 && complaint !== '') throw new SearchError(complaint);
    if (!enough && code === null) throw new SearchError('The search was ended from outside.');
  } finally {
    run.signal.removeEventListener('abort', kill);
  }
}

/** Arguments that the system rejects (a NUL, too many characters) are an error in the query. */
function start(run: RipgrepRun): ChildProcess {
  try {
    return spawn(run.program, run.args, {
      cwd: run.cwd,
      stdio: [run.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    throw new SearchError(`ripgrep does not take the pattern: ${messageOf(error)}`);
  }
}

interface Ended {
  readonly code: number | null;
  readonly complaint: string;
  readonly enough: boolean;
}

function follow(child: ChildProcess, run: RipgrepRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let enough = false;
    let complaint = '';
    const pieces = new Pieces(run.end);
    // A search that ends early closes its input, and reports the reason elsewhere.
    if (child.stdin) Readable.from(run.input ?? []).pipe(child.stdin.on('error', () => {}));
    child.stdout?.on('data', (bytes: Buffer) => {
      if (enough || run.signal.aborted) return;
      try {
        for (const piece of pieces.add(bytes)) {
          if (run.take(piece)) continue;
          enough = true;
          child.kill('SIGKILL');
          return;
        }
      } catch (error) {
        child.kill('SIGKILL');
        reject(error);
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 4000) complaint += text;
    });
    child.on('error', error => reject(new SearchError(`ripgrep could not start: ${messageOf(error)}`)));
    child.on('close', code => resolve({ code, complaint: complaint.replace(/^rg: /, '').trim(), enough }));
  });
}

/** Splits a byte stream into records. */
class Pieces {
  private readonly decoder = new TextDecoder();
  private readonly end: string;
  private rest: string[] = [];

  constructor(end: string) {
    this.end = end;
  }

  *add(bytes: Uint8Array): Generator<string> {
    const parts = this.decoder.decode(bytes, { stream: true }).split(this.end);
    const last = parts.pop() ?? '';
    if (parts.length === 0) {
      // A long record arrives in many chunks; joining them once keeps the cost linear.
      this.rest.push(last);
      return;
    }
    const first = this.rest.join('') + parts[0];
    this.rest = [last];
    yield first;
    for (let index = 1; index < parts.length; index++) yield parts[index]!;
  }
}
