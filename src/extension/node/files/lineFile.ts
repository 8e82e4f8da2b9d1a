import { openSync, writeSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';

/**
 * An append-only file of lines, readable only by its owner. Each line is passed to the system before `append` returns.
 * Reports the first write error and drops later lines. Stays open while the process runs. Throws if the file cannot be
 * opened.
 */
export class LineFile {
  private readonly file: number;
  private readonly path: string;
  private readonly notify: (sentence: string) => void;
  private hasFailed = false;

  constructor(path: string, notify: (sentence: string) => void) {
    this.path = path;
    this.notify = notify;
    this.file = openSync(path, 'a', 0o600);
  }

  append(line: string): void {
    if (this.hasFailed) return;
    try {
      writeSync(this.file, `${line}\n`);
    } catch (error) {
      this.hasFailed = true;
      this.notify(`${this.path} could not be written and ends here: ${messageOf(error)}`);
    }
  }
}
