import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Newcomer } from './newcomer.ts';

/** Kept characters of the output, whose end has counts or errors. */
const tailLength = 10_000;

/** A shell script that runs as the newcomer. Its output is passed on. */
export class EnclosedCommand {
  /** End of the output. */
  printed = '';
  /** Resolves with the exit code. */
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

  /** Waits for a match in the output and returns its first group. Fails if the command ends before. */
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
