/*
 * The library leaves two things of servers that speak 2026-07-28 to its caller: answers that its schemas would refuse
 * as a whole for one entry or block, and the call that a question in an answer belongs to.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Where an answer stands beside what the library checks. */
const whole = 'folio.whole';

/** Fits every method whose answers the library checks. */
const empty = {
  resultType: 'complete',
  content: [],
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  messages: [],
  ttlMs: 0,
  cacheScope: 'private',
};

/**
 * Passes answers to the library so that it checks nothing of complete ones, and goes on with each in the context of
 * its request. An answer without `resultType` is complete, as those of older versions are.
 *
 * @param transport which the library has begun to listen to
 */
export function ownAnswers(transport: Transport): void {
  const contexts = new Map<unknown, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  /** Requests that may be answered by a task. */
  const calls = new Set<unknown>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message) contexts.set(message.id, AsyncLocalStorage.snapshot());
    if ('id' in message && 'method' in message && message.method === 'tools/call') calls.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      contexts.delete(message.params?.requestId);
    return send(message, options);
  };
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if ('method' in message) return receive?.(message, extra);
    const inContext = contexts.get(message.id);
    contexts.delete(message.id);
    const mayBeTask = calls.delete(message.id);
    const pass = () => receive?.(keepWhole(message, mayBeTask), extra);
    if (inContext) inContext(pass);
    else pass();
  };
}

function keepWhole(message: JSONRPCMessage, mayBeTask: boolean): JSONRPCMessage {
  if (!('result' in message) || !isRecord(message.result)) return message;
  const { result } = message;
  const { resultType = 'complete' } = result;
  return resultType === 'complete' || (mayBeTask && resultType === 'task')
    ? { ...message, result: { ...empty, [whole]: result } }
    : message;
}

/** The answer as the server gave it. */
export function wholeOf(answer: Answer): Answer {
  const kept = answer[whole];
  return isRecord(kept) ? kept : answer;
}
