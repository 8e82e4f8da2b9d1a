import type { Clock } from '../platform/clock.ts';
import type { McpServers } from './mcpServers.ts';

/** Resolves when all servers have started or failed, after a time limit, or on abort. */
export async function waitForServers(
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
