import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';

/** Node treats a longer delay as none. */
const longest = 2 ** 31 - 1;

/** 72 bits in 12 characters. */
const idBytes = 9;
/** Requesting a few random bytes costs as much as many. */
const poolBytes = 512 * idBytes;

export class SystemClock implements Clock {
  private pool = Buffer.alloc(0);
  private taken = 0;

  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    try {
      await sleep(Math.min(ms, longest), undefined, signal ? { signal } : {});
    } catch (error) {
      // Node wraps the reason in an error of its own.
      signal?.throwIfAborted();
      throw error;
    }
  }

  after(ms: number, ring: () => void): () => void {
    const timer = setTimeout(ring, Math.min(ms, longest));
    return () => clearTimeout(timer);
  }

  random(): number {
    return Math.random();
  }

  newId(): string {
    for (;;) {
      const id = this.randomness(idBytes).toString('base64url');
      // A leading dash after `--resume` would look like an option.
      if (!id.startsWith('-')) return id;
    }
  }

  private randomness(count: number): Buffer {
    if (this.taken + count > this.pool.length) {
      this.pool = randomBytes(poolBytes);
      this.taken = 0;
    }
    this.taken += count;
    return this.pool.subarray(this.taken - count, this.taken);
  }
}
