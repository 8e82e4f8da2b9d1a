import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import type { TransportConfig } from '../config/serverConfig.ts';
import { guardedFetch } from './guardedFetch.ts';
import { StdioTransport } from './stdioTransport.ts';

export interface OpenedTransport {
  readonly transport: Transport;
  /** Why it ended, if known. */
  readonly reason: () => LocalizedMessage | undefined;
  /** It cannot start here, so a retry is useless. */
  readonly cannotStart: () => boolean;
  /** Ends the session at a server that keeps one. */
  readonly leave: () => Promise<void>;
}

const reconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

/** @param lost called with the reason when a running server becomes unreachable */
export function openTransport(
  source: TransportConfig,
  processes: Pick<ServerProcesses, 'start'>,
  clock: Clock,
  fetch: FetchLike,
  log: (line: string) => void,
  lost: (reason: LocalizedMessage) => void,
): OpenedTransport {
  switch (source.kind) {
    case 'stdio': {
      const transport = new StdioTransport(processes.start(source), clock, log, lost);
      return {
        transport,
        reason: () => transport.reason,
        cannotStart: () => transport.cannotStart,
        leave: async () => {},
      };
    }
    case 'http': {
      const transport = new StreamableHTTPClientTransport(new URL(source.url), {
        requestInit: { headers: { ...source.headers } },
        fetch: guardedFetch({ fetch, lost, isOneStream: false }),
        reconnectionOptions: reconnection,
      });
      // The library's class declares `sessionId: string | undefined` where its interface has `sessionId?: string`.
      return { transport: transport as Transport, ...silent, leave: () => transport.terminateSession() };
    }
    case 'sse': {
      const guarded = guardedFetch({ fetch, lost, isOneStream: true });
      const transport = new SSEClientTransport(new URL(source.url), {
        requestInit: { headers: { ...source.headers } },
        fetch: guarded,
      });
      return { transport, ...silent };
    }
    case 'vscode':
      throw new LocalizedError(() => t('VS Code runs this server automatically.'));
  }
}

const silent = { reason: () => undefined, cannotStart: () => false, leave: async () => {} };
