import type { Message, Part } from '../../../protocol/events.ts';
import type { ModelRequest } from '../model.ts';

/**
 * Appends the footer to the messages. It goes into the last result, if any: after a result, servers of Mistral refuse a
 * user message, and thinking models treat it as a new turn and drop their current thoughts.
 */
export function withFooter({ messages, footer }: ModelRequest): readonly Message[] {
  const last = messages.at(-1);
  // A paused answer must be continued unchanged.
  if (footer === undefined || last?.role !== 'user') return messages;
  return messages.with(-1, { ...last, parts: endWith(last.parts, footer) });
}

function endWith(parts: readonly Part[], footer: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind !== 'result') return [...parts, { kind: 'text', text: footer }];
  return parts.with(-1, { ...last, text: last.text === '' ? footer : `${last.text}\n\n${footer}` });
}
