import { describe, expect, test } from 'vitest';
import { describeMessage, parseMessage } from '../../src/extension/vscode/panel/parseMessage.ts';
import type { ToHost } from '../../src/protocol/messages.ts';

/** One of each; the type makes this list grow with the protocol. */
const examples: { readonly [K in ToHost['type']]: Extract<ToHost, { type: K }> } = {
  'panel.ready': { type: 'panel.ready' },
  'prompt.send': {
    type: 'prompt.send',
    text: 'The total is off by one',
    attachments: [
      { kind: 'selection', path: 'src/a.ts', startLine: 1, endLine: 2, text: 'const a = 1;' },
      { kind: 'file', path: 'src/b.ts' },
      { kind: 'image', name: 'a.png', blob: { mimeType: 'image/png', data: 'AAEC' } },
    ],
  },
  'turn.stop': { type: 'turn.stop' },
  'turn.retry': { type: 'turn.retry' },
  'retry.now': { type: 'retry.now' },
  'call.decide': { type: 'call.decide', callId: 'c1', decision: { kind: 'deny', reason: 'Use tabs' } },
  'diff.open': { type: 'diff.open', callId: 'c1' },
  'changes.open': { type: 'changes.open' },
  'output.open': { type: 'output.open', callId: 'c1' },
  'file.open': { type: 'file.open', path: 'src/a.ts', line: 3 },
  'link.open': { type: 'link.open', url: 'https://example.com' },
  'text.copy': { type: 'text.copy', text: '' },
  'mode.set': { type: 'mode.set', mode: 'plan' },
  'model.set': { type: 'model.set', model: 'gemini-2.5-flash' },
  'model.select': { type: 'model.select' },
  'session.new': { type: 'session.new' },
  'session.open': { type: 'session.open', sessionId: 's1' },
  'sessions.list': { type: 'sessions.list' },
  'key.set': { type: 'key.set' },
  'rehearsal.start': { type: 'rehearsal.start' },
  'settings.open': { type: 'settings.open' },
  'folder.open': { type: 'folder.open' },
  'trust.manage': { type: 'trust.manage' },
  'context.compress': { type: 'context.compress' },
  'compression.apply': { type: 'compression.apply', compressionId: 'k1' },
  'compression.edit': { type: 'compression.edit', compressionId: 'k1' },
  'compression.discard': { type: 'compression.discard', compressionId: 'k1' },
  'compression.undo': { type: 'compression.undo', compressionId: 'k1' },
  'pin.set': { type: 'pin.set', id: 't1', pinned: true },
  'context.describe': { type: 'context.describe' },
  'request.show': { type: 'request.show' },
  'chapter.rename': { type: 'chapter.rename', chapterId: 'c1', title: 'Finding the bug' },
  'chapter.copy': { type: 'chapter.copy', chapterId: 'c1' },
  'chapter.export': { type: 'chapter.export', chapterId: 'c1' },
  'session.export': { type: 'session.export' },
  'prompt.queue': { type: 'prompt.queue', text: 'And the tests', attachments: [], how: 'steer' },
  'queue.change': {
    type: 'queue.change',
    prompt: { id: 'q1', text: 'And all tests', attachments: [], when: 'next' },
  },
  'queue.remove': { type: 'queue.remove', id: 'q1' },
  'queue.sendNow': { type: 'queue.sendNow', id: 'q1' },
  'permissions.list': { type: 'permissions.list' },
  'permission.remove': { type: 'permission.remove', id: 'p1' },
  'hooks.decide': { type: 'hooks.decide', allowed: true },
  'plan.open': { type: 'plan.open' },
  'completion.ask': { type: 'completion.ask', number: 3, trigger: '@', query: 'src/inv' },
  'review.accept': { type: 'review.accept', place: { path: '/w/a.ts', hunkId: 1 } },
  'review.reject': { type: 'review.reject', place: { chapterId: 'c1' } },
  'review.bringBack': { type: 'review.bringBack', path: '/w/a.ts', hunkId: 2 },
  'review.open': { type: 'review.open', path: '/w/a.ts' },
  'rewind.preview': { type: 'rewind.preview', to: { kind: 'turn', turnId: 't1' } },
  'rewind.do': { type: 'rewind.do', to: { kind: 'chapter', chapterId: 'c1' }, scope: 'both' },
  'rewind.undo': { type: 'rewind.undo' },
};

describe('what the page sends', () => {
  test.each(Object.values(examples))('$type is understood as it was sent', message => {
    expect(parseMessage(message)).toEqual(message);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'turn.stop'],
    ['a list', [{ type: 'turn.stop' }]],
    ['an unknown type', { type: 'key.read' }],
    ['a call without a decision', { type: 'call.decide', callId: 'c1' }],
    [
      'an edit that only the diff editor can make',
      { type: 'call.decide', callId: 'c', decision: { kind: 'edited', text: '' } },
    ],
    [
      'a part of a proposal by a negative number',
      { type: 'call.decide', callId: 'c', decision: { kind: 'hunks', accepted: [-1] } },
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

  test('members that nobody knows do not get through', () => {
    expect(parseMessage({ type: 'turn.stop', force: true })).toEqual({ type: 'turn.stop' });
  });

  test('the log learns the type of a message that is not understood, and nothing of its content', () => {
    expect(describeMessage({ type: 'key.read', key: 'secret' })).toBe('key.read');
    expect(describeMessage('secret')).toBe('string');
  });
});
