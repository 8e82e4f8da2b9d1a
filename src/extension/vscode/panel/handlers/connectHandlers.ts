import type { ConnectFlow } from '../../connect/connectFlow.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

export function handleConnect(flow: () => Promise<ConnectFlow>, panel: Pick<PanelView, 'feed'>) {
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
  } satisfies SomeHandlers;
}
