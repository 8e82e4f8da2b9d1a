import type { Clock } from '../platform/clock.ts';
import type { McpServers } from './mcpServers.ts';

/** Resolves when all have started or it is clear that they do not, after a while, or on an abort. */
export async function settleServers(
  servers: Pick<McpServers, 'running' | 'onDidChange'>,
  clock: Pick<Clock, 'sleep'>,
  maxMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const scan = () => {
    if (servers.running.every(({ status }) => status.kind !== 'starting')) over.abort();
  };
  const listening = servers.onDidChange(scan);
  scan();
  try {
    await clock.sleep(maxMs, AbortSignal.any([signal, over.signal]));
  } catch (error) {
    if (!signal.aborted && !over.signal.aborted) throw error;
  } finally {
    listening.dispose();
  }
}
