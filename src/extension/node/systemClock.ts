import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';

export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // Node wraps the reason in an error of its own.
      signal?.throwIfAborted();
      throw error;
    }
  }

  random(): number {
    return Math.random();
  }

  newId(): string {
    // 72 bits in 12 characters.
    return randomBytes(9).toString('base64url');
  }
}
