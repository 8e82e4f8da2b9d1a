import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Newcomer } from './newcomer.ts';

/** So many characters of what a command printed are kept: its counts stand at the end, or what went wrong. */
const tailLength = 10_000;

/** A shell script that runs as a newcomer. What it prints is passed on. */
export class EnclosedCommand {
  /** The last of what it printed. */
  printed = '';
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(newcomer: Newcomer, script: string) {
    const [program, ...args] = newcomer.enclose(script);
    this.#child = spawn(program, args, { env: newcomer.env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.printed = (this.printed + text).slice(-tailLength);
        process.stdout.write(text);
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', resolve);
    });
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** The first group of the pattern, as soon as that was printed. Fails when the command ends before. */
  async findInOutput(pattern: RegExp): Promise<string> {
    const stopped = new AbortController();
    void this.ended.finally(() => stopped.abort());
    while (!stopped.signal.aborted) {
      const found = this.printed.match(pattern)?.[1];
      if (found !== undefined) return found;
      await sleep(500);
    }
    throw new Error(`It ended with code ${await this.ended}:\n${this.printed}`);
  }
}
