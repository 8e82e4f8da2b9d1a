import type { Message, Part } from '../../../protocol/events.ts';
import type { ModelRequest } from '../model.ts';

/**
 * Returns the messages with the footer at their end. It goes into the last result: after one, servers of Mistral refuse
 * a message of the user, and models that think take it for a new turn and drop the thoughts of the one that runs.
 */
export function withFooter({ messages, footer }: ModelRequest): readonly Message[] {
  const last = messages.at(-1);
  // An answer that was paused continues as it is.
  if (footer === undefined || last?.role !== 'user') return messages;
  return messages.with(-1, { ...last, parts: endWith(last.parts, footer) });
}

function endWith(parts: readonly Part[], footer: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind !== 'result') return [...parts, { kind: 'text', text: footer }];
  return parts.with(-1, { ...last, text: last.text === '' ? footer : `${last.text}\n\n${footer}` });
}
