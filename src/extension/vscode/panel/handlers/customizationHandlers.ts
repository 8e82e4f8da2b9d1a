import { commands } from 'vscode';
import type { McpAction, McpServer } from '../../../../protocol/panel/mcp.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/emitter.ts';
import type { ConsentService } from '../../../core/consent/consentService.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { WindowCustomizations } from '../../features/customizations/windowCustomizations.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** The window's servers as the page uses them. */
interface PanelServers {
  readonly list: readonly McpServer[];
  readonly onDidChange: Event<void>;
  act(name: string, action: McpAction): Promise<void>;
}

export function customizationHandlers(
  session: Pick<ActiveSession, 'present'>,
  consent: Pick<ConsentService, 'decide'>,
  additions: Pick<WindowCustomizations, 'refresh'>,
  servers: PanelServers,
) {
  return {
    'unseen.decide': ({ allowed, ids }) => consent.decide(allowed ? 'allowed' : 'refused', ids),
    'agent.stop': ({ callId }) => session.present?.stopAgent(callId),
    'mcp.list': async (_, { feed }) => {
      feed.deliver({ type: 'mcp.listed', servers: servers.list });
      // An unwatched file may have changed. Consequences are reported by events.
      await additions.refresh();
    },
    'mcp.add': () => commands.executeCommand('folio.addServer'),
    'mcp.act': ({ server, action }) => servers.act(server, action),
  } satisfies SomeHandlers;
}

/** Reports every change to the page. Costs nothing without a page. */
export function followServers(panel: Pick<PanelView, 'notify'>, servers: PanelServers): Disposable {
  return servers.onDidChange(() => panel.notify(() => ({ type: 'mcp.listed', servers: servers.list })));
}
