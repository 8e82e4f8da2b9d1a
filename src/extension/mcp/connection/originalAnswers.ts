/*
 * For servers with protocol 2026-07-28, the library leaves two things to its caller: answers that its schemas would
 * reject as a whole for one entry or block, and the call to which a question in an answer belongs.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Member that holds the original answer next to the one that the library validates. */
const whole = 'folio.whole';

/** Satisfies the schema of every method whose answers the library validates. */
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
 * Makes the library accept complete answers without validation, and handles each answer in the async context of its
 * request. An answer without `resultType` is complete, as in older versions.
 *
 * @param transport a transport to which the library already listens
 */
export function keepRawResults(transport: Transport): void {
  const contexts = new Map<unknown, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  /** Requests that may be answered with a task. */
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

/** The answer as received from the server. */
export function rawResultOf(answer: Answer): Answer {
  const kept = answer[whole];
  return isRecord(kept) ? kept : answer;
}
