import { describe, expect, test } from 'vitest';
import { describeMessage, parseMessage } from '../../src/extension/vscode/panel/parseMessage.ts';
import { messageExamples } from '../support/messageExamples.ts';

describe('what the page sends', () => {
  test.each(messageExamples)('$type is understood as it was sent', message => {
    expect(parseMessage(message)).toEqual(message);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'turn.stop'],
    ['a list', [{ type: 'turn.stop' }]],
    ['an unknown type', { type: 'key.read' }],
    ['a call without a decision', { type: 'call.decide', callId: 'c1', askId: 'a1' }],
    ['a decision that names no ask', { type: 'call.decide', callId: 'c1', decision: { kind: 'once' } }],
    ['a way on that names no question', { type: 'fallback.decide', decision: 'switch' }],
    ['a continuing that names no end', { type: 'turn.retry' }],
    [
      'an edit that only the diff editor can make',
      { type: 'call.decide', callId: 'c', askId: 'a', decision: { kind: 'edited', text: '' } },
    ],
    [
      'a part of a proposal by a negative number',
      { type: 'call.decide', callId: 'c', askId: 'a', decision: { kind: 'hunks', accepted: [-1] } },
    ],
    ['a rewind to nowhere', { type: 'rewind.do', to: { kind: 'turn' }, scope: 'both' }],
    ['a mode that there is not', { type: 'mode.set', mode: 'root' }],
    ['a line before the first', { type: 'file.open', path: 'a', line: 0 }],
    [
      'an attachment of unknown kind',
      { type: 'prompt.send', text: '', attachments: [{ kind: 'folder', path: '/' }] },
    ],
    [
      'a blob that is no picture',
      {
        type: 'prompt.send',
        text: '',
        attachments: [{ kind: 'image', name: 'x', blob: { mimeType: 'text/html', data: '' } }],
      },
    ],
  ])('%s is not a message', (_name, value) => {
    expect(parseMessage(value)).toBeUndefined();
  });

  test('the longest form that a server may show is answered', () => {
    const answers = Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => 'taken'));
    const message = { type: 'call.decide', callId: 'c', askId: 'a', decision: { kind: 'answers', answers } };
    expect(parseMessage(message)).toEqual(message);
  });

  test('members that nobody knows do not get through', () => {
    expect(parseMessage({ type: 'turn.stop', force: true })).toEqual({ type: 'turn.stop' });
  });

  test('the log learns the type of a message that is not understood, and nothing of its content', () => {
    expect(describeMessage({ type: 'key.read', key: 'secret' })).toBe('key.read');
    expect(describeMessage('secret')).toBe('string');
  });
});
