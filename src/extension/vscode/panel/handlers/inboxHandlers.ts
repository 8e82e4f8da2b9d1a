import { once } from '../../../base/once.ts';
import type { Inbox } from '../../../core/context/inbox/inbox.ts';
import type { Log } from '../../../platform/log.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

/** The inbox is loaded with the first page. */
export function inboxHandlers(panel: Pick<PanelView, 'notify'>, load: () => Promise<Inbox>, log: Log) {
  const page = once(
    async () => new (await import('../inboxController.ts')).InboxController(panel, await load(), log),
  );
  return {
    'panel.inbox': async () => (await page()).list(),
    'inbox.accept': async wanted => (await page()).accept(wanted),
    'inbox.drop': async ({ number }) => (await page()).drop(number),
  } satisfies SomeHandlers;
}
