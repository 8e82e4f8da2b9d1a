/* Answers of a scripted server of OpenAI's Responses. See responsesServer.ts. */

import type { ScriptedRefusal } from './scriptedServer.ts';
import { eventText, halves, type PlainStep } from './scriptedSteps.ts';

export { bytes, hang, hangUp, noFinish, page, reset, silence } from './scriptedSteps.ts';

export type ResponsesAnswer = readonly ResponsesStep[] | ScriptedRefusal;

/** An item of an answer is whole in itself: its beginning, its growth in two pieces, its end. */
export type ResponsesStep =
  | { readonly kind: 'item'; readonly item: Item }
  /** In bytes that are torn. */
  | { readonly kind: 'tornText'; readonly text: string }
  | { readonly kind: 'finish'; readonly incomplete?: string; readonly usage?: object }
  /** Any event at all. */
  | { readonly kind: 'event'; readonly event: { readonly type: string; readonly [member: string]: unknown } }
  | PlainStep;

export type Item =
  | { readonly type: 'message'; readonly text: string; readonly phase?: string }
  | { readonly type: 'refusal'; readonly refusal: string }
  | { readonly type: 'reasoning'; readonly id: string; readonly summaries: readonly string[] }
  | { readonly type: 'function_call'; readonly id: string; readonly name: string; readonly json: string };

export function text(value: string, phase?: string): ResponsesStep {
  return { kind: 'item', item: { type: 'message', text: value, ...(phase ? { phase } : {}) } };
}

let thoughts = 0;

/** It is sealed for its id, as the server checks when it comes back. */
export function thought(...summaries: readonly string[]): ResponsesStep {
  return { kind: 'item', item: { type: 'reasoning', id: `rs_${thoughts++}`, summaries } };
}

export function sealOf(id: string): string {
  return Buffer.from(`sealed ${id}`).toString('base64');
}

export function call(name: string, args: object = {}, id = `call_${name}`): ResponsesStep {
  return callOf(name, JSON.stringify(args), id);
}

export function callOf(name: string, json: string, id: string): ResponsesStep {
  return { kind: 'item', item: { type: 'function_call', id, name, json } };
}

/** @param incomplete why the answer ends in the middle */
export function finish(incomplete?: string, usage?: object): ResponsesStep {
  return { kind: 'finish', ...(incomplete ? { incomplete } : {}), ...(usage ? { usage } : {}) };
}

export function event(value: { readonly type: string; readonly [member: string]: unknown }): ResponsesStep {
  return { kind: 'event', event: value };
}

/** The service gives up in the middle of its answer. */
export function failure(code: string, message: string): ResponsesStep {
  return event({ type: 'response.failed', response: { status: 'failed', error: { code, message } } });
}

/** The events of a whole item. */
export function itemEvents(item: Item, index: number): string {
  const place = { output_index: index, item_id: `item_${index}` };
  const [begun, ended] = framesOf(item);
  return [
    { type: 'response.output_item.added', output_index: index, item: begun },
    ...growthOf(item).map(event => ({ ...place, ...event })),
    { type: 'response.output_item.done', output_index: index, item: ended },
  ]
    .map(eventText)
    .join('');
}

/** As it is announced, and as it is at its end. */
function framesOf(item: Item): readonly [object, object] {
  switch (item.type) {
    case 'message': {
      const { text, phase } = item;
      const content = [{ type: 'output_text', text, annotations: [] }];
      const message = { type: 'message', id: 'msg_1', role: 'assistant', phase };
      return [
        { ...message, content: [] },
        { ...message, content },
      ];
    }
    case 'refusal': {
      const message = { type: 'message', id: 'msg_1', role: 'assistant' };
      return [
        { ...message, content: [] },
        { ...message, content: [item] },
      ];
    }
    case 'reasoning': {
      const { type, id, summaries } = item;
      const summary = summaries.map(text => ({ type: 'summary_text', text }));
      return [
        // What is sealed at the beginning is not what counts.
        { type, id, summary: [], encrypted_content: sealOf('the beginning') },
        { type, id, summary, encrypted_content: sealOf(id) },
      ];
    }
    case 'function_call': {
      const { type, id, name, json } = item;
      const call = { type, id: `fc_${id}`, call_id: id, name };
      return [
        { ...call, arguments: '' },
        { ...call, arguments: json, status: 'completed' },
      ];
    }
  }
}

function growthOf(item: Item): readonly { readonly type: string; readonly [member: string]: unknown }[] {
  switch (item.type) {
    case 'message':
      return halves(item.text).map(delta => ({ type: 'response.output_text.delta', delta }));
    case 'refusal':
      return halves(item.refusal).map(delta => ({ type: 'response.refusal.delta', delta }));
    case 'reasoning':
      return item.summaries.flatMap((summary, at) => [
        { type: 'response.reasoning_summary_part.added', summary_index: at },
        ...halves(summary).map(delta => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: at,
          delta,
        })),
      ]);
    case 'function_call':
      return halves(item.json).map(delta => ({ type: 'response.function_call_arguments.delta', delta }));
  }
}
