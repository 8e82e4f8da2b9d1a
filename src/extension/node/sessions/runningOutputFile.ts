/*
 * Saves the output of a running call to a growing file:
 *
 *     x.log     the newest part; when it is full it becomes x.log.1 and a new one starts
 *     x.log.1   the part before; replaces an older x.log.1
 */

import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OutputText, RunningOutput } from '../../platform/storage.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';

/** Maximum bytes of one file. */
const fileLimit = 512 * 1024;

export class RunningOutputFile implements RunningOutput {
  private readonly path: string;
  private file: number | undefined;
  private size = 0;
  private failed = false;

  constructor(path: string) {
    this.path = path;
  }

  append(text: string): void {
    if (this.failed) return;
    try {
      if (this.size >= fileLimit) this.rotate();
      this.file ??= this.open();
      this.size += writeSync(this.file, text);
    } catch {
      // The end of the call brings all of its output; only a kill before that loses the rest.
      this.failed = true;
      this.close();
    }
  }

  discard(): void {
    this.close();
    for (const path of [this.path, olderPart(this.path)]) {
      try {
        rmSync(path, { force: true });
      } catch {
        // Remaining files are masked, limited, and deleted with their session.
      }
    }
  }

  private open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    return openSync(this.path, 'a', 0o600);
  }

  private rotate(): void {
    this.close();
    renameSync(this.path, olderPart(this.path));
    this.size = 0;
  }

  private close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

export async function readRunningOutput(path: string): Promise<OutputText | undefined> {
  const older = await readIfThere(olderPart(path));
  const newer = await readIfThere(path);
  if (older === undefined && newer === undefined) return undefined;
  return { text: `${older ?? ''}${newer ?? ''}`, isWhole: older === undefined };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}

function olderPart(path: string): string {
  return `${path}.1`;
}
