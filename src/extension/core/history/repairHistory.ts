import type { Message, Part } from '../../../protocol/events.ts';

type CallPart = Extract<Part, { kind: 'call' }>;
type ResultPart = Extract<Part, { kind: 'result' }>;

const lostBeginning: Message = {
  role: 'user',
  parts: [{ kind: 'text', text: '[What was said before is lost.]' }],
};

/**
 * Repairs a history with missing messages, whose lines in the journal were unreadable: providers accept neither calls
 * without results nor results without calls. A placeholder replaces a lost result. A result without its call is
 * dropped, since as plain text it would look like the user's words.
 * @param messages with alternating roles
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  const whole = messages.map((message, at) =>
    message.role === 'user' ? withResults(message, messages[at - 1]) : message,
  );
  return whole[0]?.role === 'model' ? [lostBeginning, ...whole] : whole;
}

function withResults(message: Message, before: Message | undefined): Message {
  const calls = before?.parts.filter(part => part.kind === 'call') ?? [];
  const results = message.parts.filter(part => part.kind === 'result');
  if (calls.length === results.length && calls.every((call, at) => answers(results[at]!, call)))
    return message;
  const parts = [
    ...calls.map(call => results.find(result => answers(result, call)) ?? lostResult(call)),
    ...message.parts.filter(part => part.kind !== 'result'),
  ];
  return {
    ...message,
    parts: parts.length > 0 ? parts : [{ kind: 'text', text: '[What was said here is lost.]' }],
  };
}

function answers(result: ResultPart, call: CallPart): boolean {
  return result.id === call.id && result.name === call.name;
}

function lostResult({ id, name }: CallPart): ResultPart {
  return {
    kind: 'result',
    id,
    name,
    ok: false,
    text: 'The result of this call is lost. Look at what it did before you continue.',
  };
}
