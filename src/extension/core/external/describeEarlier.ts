import type { Message } from '../../../protocol/events.ts';
import { tailOf } from '../../base/text.ts';
import { withoutTags } from '../../base/untrusted.ts';

/** Characters. For a longer conversation, the newest part is used. */
const limit = 60_000;

/** Describes a conversation to an agent that does not know it. */
export function describeEarlier(messages: readonly Message[]): string {
  const said = messages.flatMap(({ role, parts }) => {
    const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n');
    return text === '' ? [] : [`${role === 'user' ? 'User' : 'You'}: ${text}`];
  });
  const whole = said.join('\n\n');
  const text = whole.length > limit ? `…${tailOf(whole, limit)}` : whole;
  return `This continues an earlier conversation, which you have no record of. It was:\n<earlier_conversation>\n${withoutTags(text, 'earlier')}\n</earlier_conversation>`;
}
