import type { ToHost } from '../../../protocol/messages.ts';

type Handler<K extends ToHost['type']> = (message: Extract<ToHost, { type: K }>) => unknown;

/** One handler for every intention of the panel; a new message does not compile before it has one. */
export type PanelHandlers = { readonly [K in ToHost['type']]: Handler<K> };

/** Rejects when the handler fails, at once or later. */
export async function handleMessage(handlers: PanelHandlers, message: ToHost): Promise<void> {
  // The compiler cannot see that key and argument belong together; the mapped type above says that they do.
  const handler = handlers[message.type] as (message: ToHost) => unknown;
  await handler(message);
}
