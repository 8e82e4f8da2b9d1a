import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How long what a process printed is waited for once nothing of it runs. */
const drainMs = 250;

/**
 * Until the streams of a process that has ended are closed, or have been read as far as it wrote: one that has left its
 * group may hold them open. The round of the event loop after the wait reads what came while this process was busy.
 */
export async function drained(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, sleep(drainMs).then(() => setImmediate())]);
}
