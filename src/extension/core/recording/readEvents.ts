/*
 * The events of a journal, a piece of it at a time: neither the file nor its lines ever stand in memory as a whole
 * beside what is made of them.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import type { SessionStore } from '../../platform/storage.ts';
import { parseEvent } from './parseEvent.ts';

/** One for each line, in order; `undefined`: it is no event. Rejects when there is no such session. */
export async function readEvents(
  store: Pick<SessionStore, 'scanJournal'>,
  sessionId: string,
): Promise<readonly (SessionEvent | undefined)[]> {
  const events: (SessionEvent | undefined)[] = [];
  const media = new Map<string, string>();
  for await (const { lines } of store.scanJournal(sessionId, 0)) {
    for (const line of lines) {
      const event = parseEvent(line);
      events.push(event && withSharedMedia(event, media));
    }
  }
  return events;
}

/** A picture stands in its prompt and in the message that the model gets: once is enough in memory. */
function withSharedMedia(event: SessionEvent, media: Map<string, string>): SessionEvent {
  const share = (data: string) => {
    const known = media.get(data);
    if (known === undefined) media.set(data, data);
    return known ?? data;
  };
  if (event.type === 'turn.started' && event.attachments.some(({ kind }) => kind === 'image')) {
    const attachments = event.attachments.map(each =>
      each.kind === 'image' ? { ...each, blob: { ...each.blob, data: share(each.blob.data) } } : each,
    );
    return { ...event, attachments };
  }
  if (event.type !== 'message.added' || !event.message.parts.some(({ kind }) => kind === 'blob'))
    return event;
  const parts = event.message.parts.map(part =>
    part.kind === 'blob' ? { ...part, blob: { ...part.blob, data: share(part.blob.data) } } : part,
  );
  return { ...event, message: { ...event.message, parts } };
}
