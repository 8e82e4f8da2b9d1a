import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isAlive } from '../files/fileLock.ts';

const intervalMs = 1000;

/**
 * Counts the working sessions in the user's other windows, with one file per process. Two windows that start at the
 * same moment may both take the last slot. A file of a killed process is ignored.
 */
export class WorkingSessionCounter {
  private readonly folder: string;
  private reported = 0;

  /** @param home absolute path */
  constructor(home: string) {
    this.folder = join(home, '.folio', 'places');
  }

  count(): number {
    return this.list().reduce((sum, pid) => (pid === process.pid ? sum : sum + this.read(pid)), 0);
  }

  report(working: number): void {
    if (working === this.reported) return;
    this.reported = working;
    const path = join(this.folder, String(process.pid));
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (working === 0) rmSync(path, { force: true });
      else writeFileSync(path, String(working), { mode: 0o600 });
    } catch {
      // If the home folder is not writable, each window counts only its own.
    }
  }

  watch(listener: () => void): Disposable {
    const timer = setInterval(listener, intervalMs);
    timer.unref();
    return toDisposable(() => clearInterval(timer));
  }

  private list(): readonly number[] {
    try {
      return readdirSync(this.folder).map(Number).filter(Number.isSafeInteger);
    } catch {
      // No session has worked yet.
      return [];
    }
  }

  private read(pid: number): number {
    if (!isAlive(pid)) return 0;
    try {
      return Number(readFileSync(join(this.folder, String(pid)), 'utf8')) || 0;
    } catch {
      // It has just ended its work.
      return 0;
    }
  }
}
