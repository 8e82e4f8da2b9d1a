import type { Intention, IntentionType, ToHost } from '../../../../protocol/intentions.ts';
import type { PanelPage } from '../panelPage.ts';

/**
 * One handler for each row of the intentions; a new row does not compile before it has one. What a page asks is
 * answered to that page, which need not be the active one any more.
 */
export type PanelHandlers = {
  readonly [K in IntentionType]: (intention: Intention<K>, page: PanelPage) => unknown;
};

/** The handlers of one subject. */
export type SomeHandlers = Partial<PanelHandlers>;

/** Rejects when the handler fails, at once or later. */
export async function handleMessage(
  handlers: PanelHandlers,
  message: ToHost,
  page: PanelPage,
): Promise<void> {
  // The compiler cannot see that key and argument belong together; the mapped type above says that they do.
  const handler = handlers[message.type] as (message: ToHost, page: PanelPage) => unknown;
  await handler(message, page);
}
