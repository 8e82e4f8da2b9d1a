import type { McpAction, McpServer } from '../../../../protocol/mcp.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/emitter.ts';
import type { Consent } from '../../../core/consent/consent.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { WindowAdditions } from '../../features/customizations/windowAdditions.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** Of the window's servers what the page shows and does. */
export interface PanelServers {
  readonly list: readonly McpServer[];
  readonly onDidChange: Event<void>;
  act(name: string, action: McpAction): Promise<void>;
}

export interface CustomizationParts {
  readonly session: Pick<ActiveSession, 'present'>;
  readonly panel: Pick<PanelView, 'feed'>;
  readonly consent: Pick<Consent, 'decide'>;
  readonly additions: Pick<WindowAdditions, 'refresh'>;
  readonly servers: PanelServers;
}

export function handleCustomizations({ session, panel, consent, additions, servers }: CustomizationParts) {
  return {
    'unseen.decide': ({ allowed, ids }) => consent.decide(allowed ? 'allowed' : 'refused', ids),
    'agent.stop': ({ callId }) => session.present?.stopAgent(callId),
    'mcp.list': async () => {
      panel.feed.deliver({ type: 'mcp.listed', servers: servers.list });
      // A file may have changed outside of what is watched; what comes of it is told by itself.
      await additions.refresh();
    },
    'mcp.act': ({ server, action }) => servers.act(server, action),
  } satisfies SomeHandlers;
}

/** The page hears of every change; it costs nothing while none is there. */
export function tellServers({ panel, servers }: Pick<CustomizationParts, 'panel' | 'servers'>): Disposable {
  return servers.onDidChange(() => panel.feed.tell({ type: 'mcp.listed', servers: servers.list }));
}
