import type { ConnectFlow } from '../connect/connectFlow.ts';
import type { PanelHandlers } from './panelHandlers.ts';
import type { PanelView } from './panelView.ts';

export type ConnectHandlers = Pick<
  PanelHandlers,
  'connect.open' | 'connect.start' | 'connect.choose' | 'connect.act' | 'connect.stop'
>;

export function handleConnect(
  flow: () => Promise<ConnectFlow>,
  panel: Pick<PanelView, 'feed'>,
): ConnectHandlers {
  return {
    'connect.open': async () => {
      const ways = await flow();
      panel.feed.tell({ type: 'connect.told', connecting: ways.connecting });
      await ways.look();
    },
    'connect.start': async ({ way }) => (await flow()).start(way),
    'connect.choose': async ({ id }) => (await flow()).choose(id),
    'connect.act': async ({ action }) => (await flow()).act(action),
    'connect.stop': async () => (await flow()).stop(),
  };
}
