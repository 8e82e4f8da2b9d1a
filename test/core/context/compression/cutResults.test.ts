import { expect, it } from 'vitest';
import { cutResults } from '../../../../src/extension/core/context/compression/cutResults.ts';
import type { Message, Part } from '../../../../src/protocol/events.ts';
import { model, user } from '../../../support/geminiClient.ts';

const log = { warn() {} };

function step(id: string, text: string): readonly Message[] {
  const result: Part = { kind: 'result', id, name: 'read_file', ok: true, text };
  return [model({ kind: 'call', id, name: 'read_file', args: {} }), user(result)];
}

function textOf(message: Message | undefined): string {
  const [part] = message?.parts ?? [];
  return part?.kind === 'result' ? part.text : '';
}

/** 25,000 tokens. */
function longText(name: string): string {
  return `${name} begins ${'.'.repeat(100_000)} ${name} ends`;
}

it('results beyond the newest 50,000 tokens keep head and tail, and their whole is on the disk', async () => {
  const saved = new Map<string, string>();
  const saveOutput = async (name: string, text: string) => {
    saved.set(name, text);
    return `/outputs/${name}`;
  };
  const messages = [
    user('go'),
    ...step('a', longText('a')),
    ...step('b', longText('b')),
    ...step('c', 'short'),
  ];
  const cut = await cutResults(
    [...messages, ...step('d', longText('d')), ...step('e', '.'.repeat(80_000)), model('Done.')],
    {
      saveOutput,
      log,
    },
  );
  expect(saved).toEqual(
    new Map([
      ['read_file-a.whole.txt', longText('a')],
      ['read_file-b.whole.txt', longText('b')],
    ]),
  );
  const text = textOf(cut[2]);
  expect(text).toMatch(/^A long result, shortened\. The whole is in \/outputs\/read_file-a\.whole\.txt/);
  expect(text).toContain('a begins');
  expect(text).toContain('a ends');
  expect(text.length).toBeLessThan(40_300);
  expect(text.indexOf('characters left out')).toBeLessThan(9_000);
  expect(cut[6]).toBe(messages[6]);
  expect(textOf(cut[8])).toBe(longText('d'));
  const again = await cutResults(cut, { saveOutput, log });
  expect(again.map((message, at) => message === cut[at])).not.toContain(false);
});

it('what the model has not read, and what cannot be saved, stays whole', async () => {
  const saveOutput = async () => {
    throw new Error('No space left.');
  };
  const unread = [user('go'), ...step('a', longText('a').repeat(3))];
  const ports = { saveOutput: async () => '/outputs/x', log };
  expect(await cutResults(unread, ports)).toEqual(unread);
  const read = [...unread, model('Read.')];
  expect(await cutResults(read, { saveOutput, log })).toEqual(read);
  expect(await cutResults(read, ports)).not.toEqual(read);
});
