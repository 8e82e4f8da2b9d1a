import type { Message, SessionEvent } from '../../src/protocol/events.ts';

/** Checks a history by the rules of providers. Returns the faults. */
export function historyFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  if (messages.length > 0 && messages[0]!.role !== 'user') faults.push('It does not start with the user.');
  messages.forEach((message, index) => {
    if (message.parts.length === 0) faults.push(`Message ${index} is empty.`);
    if (index > 0 && messages[index - 1]!.role === message.role)
      faults.push(`Message ${index} repeats its role.`);
    const calls = message.parts.flatMap(part => (part.kind === 'call' ? [`${part.id} ${part.name}`] : []));
    const answers = messages[index + 1]?.parts.flatMap(part =>
      part.kind === 'result' ? [`${part.id} ${part.name}`] : [],
    );
    if (calls.length > 0 && calls.join() !== answers?.join())
      faults.push(`Calls of message ${index} are not answered.`);
    const results = message.parts.some(part => part.kind === 'result');
    if (results && !messages[index - 1]?.parts.some(part => part.kind === 'call')) {
      faults.push(`Message ${index} answers nothing.`);
    }
  });
  return faults;
}

/** Checks that each call has exactly one end. Returns the faults. */
export function callFaults(events: readonly SessionEvent[]): readonly string[] {
  const ends = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'call.requested') ends.set(event.callId, 0);
    if (event.type === 'call.ended') ends.set(event.callId, (ends.get(event.callId) ?? 0) + 1);
  }
  return [...ends]
    .filter(([, count]) => count !== 1)
    .map(([callId, count]) => `${callId} ended ${count} times`);
}
