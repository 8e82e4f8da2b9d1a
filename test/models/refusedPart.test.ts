import { describe, expect, it } from 'vitest';
import { keyOfBlob, keyOfPart, withoutParts } from '../../src/extension/core/history/refusedParts.ts';
import { findRefusedPart } from '../../src/extension/models/wire/refusedPart.ts';
import type { Part } from '../../src/protocol/events.ts';
import { model, user } from '../support/geminiClient.ts';
import { dot } from '../support/pictures.ts';

const thought: Part = { kind: 'thought', text: 'Hm', signature: 'c2ln' };
const call: Part = { kind: 'call', id: 'call_1', name: 'look', args: { at: 'a' } };
const result: Part = { kind: 'result', id: 'call_1', name: 'look', ok: true, text: 'seen', blobs: [dot] };
const said: Part = { kind: 'text', text: 'Go' };
const messages = [user(said), model(thought, call), user(result)];

/** As Anthropic reads it. */
const body = JSON.stringify({
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 'a' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [
            { type: 'text', text: 'seen' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot.data } },
          ],
        },
      ],
    },
  ],
});

const find = (message: string, place = '') =>
  findRefusedPart({ message, place }, 'badRequest', 400, { messages, body: () => body })?.tries[0];

describe('the place in a refusal leads to', () => {
  it.each([
    ['a text', 'messages.0.content.0.text: not allowed', keyOfPart(said)],
    ['a thought', 'messages.1.content.0: Invalid `signature` in `thinking` block', keyOfPart(thought)],
    ['a call', 'messages.1.content.1.tool_use.input: Input should be a valid dictionary', keyOfPart(call)],
    ['a picture of a result', 'messages.2.content.0.tool_result.content.1.image.source: no', keyOfBlob(dot)],
  ])('%s', (_what, words, key) => expect(find(words)).toEqual([key]));

  it('a picture, where it stands beside the words', () =>
    expect(find('It is not valid.', 'messages.2.content.0.content.1')).toEqual([keyOfBlob(dot)]));

  it.each([
    ['a message', 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after'],
    ['no place', 'max_tokens: 1 > 0'],
    ['a place that is not there', 'messages.7.content.3: no'],
  ])('nothing where it is %s', (_what, words) => expect(find(words)).toBeUndefined());
});

describe('what is sent in the place of', () => {
  const sent = (part: Part) => withoutParts(messages, [keyOfPart(part)], 'no');

  it('a text: a sentence', () =>
    expect(sent(said)[0]!.parts[0]).toMatchObject({ text: expect.stringContaining('left out') }));
  it('a thought: nothing', () => expect(sent(thought)[1]!.parts).toEqual([call]));
  it('arguments of a call: none', () => expect(sent(call)[1]!.parts[1]).toEqual({ ...call, args: {} }));
  it('a result: a sentence, without its pictures', () =>
    expect(sent(result)[2]!.parts[0]).not.toHaveProperty('blobs'));
  it('anything else: the same messages', () =>
    expect(withoutParts(messages, ['text:x'], 'no')).toEqual(messages));
});
