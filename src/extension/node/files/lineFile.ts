import { openSync, writeSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';

/**
 * A file of lines that only its owner may read; each line is with the system once `append` returns. A refusal of the
 * disk is told once, and the lines after it are left out. It stays open as long as the process runs. Throws when the
 * file cannot be opened.
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
