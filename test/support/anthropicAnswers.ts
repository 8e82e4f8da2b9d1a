/* Answers of the scripted server of Anthropic's Messages (anthropicServer.ts). */

import type { ScriptedRefusal } from './scriptedServer.ts';
import { eventText, halves, type PlainStep } from './scriptedSteps.ts';

export { bytes, eventText, hang, hangUp, noFinish, page, reset, silence } from './scriptedSteps.ts';

export type MessagesAnswer = readonly MessagesStep[] | ScriptedRefusal;

/** A block includes its start, two deltas and its end. */
export type MessagesStep =
  | { readonly kind: 'block'; readonly block: Block }
  /** Sent in chunks that split characters. */
  | { readonly kind: 'tornText'; readonly text: string }
  | {
      readonly kind: 'finish';
      readonly reason: string | null;
      readonly usage?: object;
      readonly details?: object;
    }
  /** An arbitrary event. */
  | { readonly kind: 'event'; readonly event: { readonly type: string; readonly [member: string]: unknown } }
  | PlainStep;

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string };

export function text(value: string): MessagesStep {
  return { kind: 'block', block: { type: 'text', text: value } };
}

/** A thought with a matching signature, which the server checks when it is returned. */
export function thought(value: string): MessagesStep {
  return { kind: 'block', block: { type: 'thinking', thinking: value, signature: signatureOf(value) } };
}

export function redacted(data: string): MessagesStep {
  return { kind: 'block', block: { type: 'redacted_thinking', data } };
}

export function signatureOf(thinking: string): string {
  return Buffer.from(`signed ${thinking}`).toString('base64');
}

export function call(name: string, args: object = {}, id = `toolu_${name}`): MessagesStep {
  return callOf(name, JSON.stringify(args), id);
}

export function callOf(name: string, json: string, id: string): MessagesStep {
  return { kind: 'block', block: { type: 'tool_use', id, name, json } };
}

export function finish(reason: string | null = 'end_turn', usage?: object, details?: object): MessagesStep {
  return { kind: 'finish', reason, usage, details };
}

export function event(value: { readonly type: string; readonly [member: string]: unknown }): MessagesStep {
  return { kind: 'event', event: value };
}

/** Returns an error in the format of the service. */
export function refusal(
  status: number,
  type: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ScriptedRefusal {
  const body = { type: 'error', error: { type, message }, request_id: 'req_1' };
  return { kind: 'json', status, body, headers };
}

/** Returns the events of a block. */
export function blockEvents(block: Block, index: number): string {
  const [start, ...deltas] = piecesOf(block);
  return [
    eventText({ type: 'content_block_start', index, content_block: start! }),
    ...deltas.map(delta => eventText({ type: 'content_block_delta', index, delta })),
    eventText({ type: 'content_block_stop', index }),
  ].join('');
}

function piecesOf(block: Block): readonly object[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'text', text: '' },
        ...halves(block.text).map(each => ({ type: 'text_delta', text: each })),
      ];
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        ...halves(block.thinking).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'redacted_thinking':
      return [block];
    case 'tool_use': {
      const { id, name, json } = block;
      const pieces = json === '{}' ? [''] : halves(json);
      return [
        { type: 'tool_use', id, name, input: {} },
        ...pieces.map(partial_json => ({ type: 'input_json_delta', partial_json })),
      ];
    }
  }
}
