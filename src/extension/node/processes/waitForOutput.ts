import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Time to wait for remaining output after the process group has ended. */
const drainMs = 250;

/**
 * Waits until the streams of an ended process are closed or read to the end. A process that left the group may keep
 * them open. The event loop round after the wait reads output that arrived while this process was busy.
 */
export async function waitForOutput(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, sleep(drainMs).then(() => setImmediate())]);
}
