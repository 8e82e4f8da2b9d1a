/*
 * Subscribes to the changes of a server with protocol 2026-07-28. The library opens one stream and does not reopen it.
 */

import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ListKind } from './connectionParts.ts';

interface Listening {
  readonly client: Client;
  readonly clock: Clock;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Called when changes of these lists are reported from now on. Earlier ones may have been missed. */
  readonly opened: (kinds: readonly ListKind[]) => void;
  readonly log: (line: string) => void;
}

const firstPauseMs = 1_000;
const maxFailures = 6;
const maxOpenMs = 30_000;

/** Resolves when there is nothing to subscribe to, or the subscription has ended. Never rejects. */
export async function subscribeToChanges({ client, clock, signal, opened, log }: Listening): Promise<void> {
  const { filter, kinds } = changesOf(client);
  if (kinds.length === 0) return;
  try {
    for (let failures = 0; failures < maxFailures; ) {
      const stream = await client.listen(filter, { signal, timeout: maxOpenMs }).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) throw error;
        log(`Its changes could not be listened to: ${messageOf(error)}`);
        return undefined;
      });
      if (stream) {
        opened(kinds);
        const startedAt = clock.now();
        const ended = await stream.closed;
        if (ended === 'local') return;
        // A stream that lasted is no failure: proxies cut silent streams after minutes.
        if (clock.now() - startedAt >= maxOpenMs) failures = 0;
      }
      failures++;
      await clock.sleep(firstPauseMs * 2 ** (failures - 1), signal);
    }
    log('Its stream of changes breaks off again and again; its lists are read when it starts again.');
  } catch (error) {
    if (!signal.aborted) log(`It reports no changes: ${messageOf(error)}`);
  }
}

function changesOf(client: Client): {
  readonly filter: SubscriptionFilter;
  readonly kinds: readonly ListKind[];
} {
  const able = client.getServerCapabilities();
  const kinds = (['tools', 'prompts', 'resources'] as const).filter(kind => able?.[kind]?.listChanged);
  const filter = Object.fromEntries(kinds.map(kind => [`${kind}ListChanged`, true]));
  return { filter, kinds };
}
