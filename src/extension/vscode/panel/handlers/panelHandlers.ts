import type { Intention, IntentionType, ToHost } from '../../../../protocol/intentions.ts';
import type { PanelPage } from '../panelPage.ts';

/**
 * One handler for each type of intention, checked by the compiler. A page's request is answered to that page, which may
 * no longer be the active one.
 */
export type PanelHandlers = {
  readonly [K in IntentionType]: (intention: Intention<K>, page: PanelPage) => unknown;
};

/** The handlers of one subject. */
export type SomeHandlers = Partial<PanelHandlers>;

/** Rejects if the handler fails, synchronously or later. */
export async function handleMessage(
  handlers: PanelHandlers,
  message: ToHost,
  page: PanelPage,
): Promise<void> {
  // The compiler cannot see that key and argument match; the mapped type above guarantees it.
  const handler = handlers[message.type] as (message: ToHost, page: PanelPage) => unknown;
  await handler(message, page);
}
