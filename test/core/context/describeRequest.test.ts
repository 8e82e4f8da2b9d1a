import { marked } from 'marked';
import { expect, test } from 'vitest';
import { describeRequest } from '../../../src/extension/core/context/describeRequest.ts';
import type { Part } from '../../../src/protocol/events.ts';
import { model, requestOf, user } from '../../support/geminiClient.ts';

const tool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { file_path: { type: 'string' } } },
};
const call: Part = { kind: 'call', id: 'c1', name: 'read_file', args: { file_path: 'a.txt' } };
const image = { mimeType: 'image/png', data: Buffer.alloc(2050).toString('base64') };

/** The headings and code blocks of the document, as a Markdown reader sees them. */
function read(markdown: string) {
  const tokens = marked.lexer(markdown);
  return {
    headings: tokens.flatMap(token => (token.type === 'heading' ? [token.text as string] : [])),
    codes: tokens.flatMap(token => (token.type === 'code' ? [token.text as string] : [])),
  };
}

test('everything that was sent is there: system prompt, tools with schemas, each message with its parts', () => {
  const messages = [
    user({ kind: 'blob', blob: image }, 'What is this?'),
    model({ kind: 'thought', text: 'Hm.' }, { kind: 'thought', text: 'Signed.', signature: 's' }, call),
    user({ kind: 'result', id: 'c1', name: 'read_file', ok: false, text: 'No such file.', blobs: [image] }),
  ];
  const request = requestOf(messages, { system: 'You are careful.', tools: [tool], temperature: 0.5 });
  const usage = { prompt: 1234, cached: 1000, output: 5, thoughts: 6 };
  const text = describeRequest(request, { at: Date.UTC(2026, 2, 14), usage });
  const { headings, codes } = read(text);
  expect(headings).toEqual([
    'What was sent',
    'System prompt',
    'Tools (1)',
    'read_file',
    'Messages (3)',
    '1. User',
    '2. Model',
    '3. User',
  ]);
  expect(codes).toEqual([
    'You are careful.',
    'Reads a file.',
    JSON.stringify(tool.parameters, undefined, 2),
    'What is this?',
    'Hm.',
    'Signed.',
    JSON.stringify(call.args, undefined, 2),
    'No such file.',
  ]);
  expect(text).toContain('- Model: gemini-2.5-pro');
  expect(text).toContain('- Temperature: 0.5');
  expect(text).toMatch(/- Sent: .*2026/);
  expect(text).toContain('1234 in the request, 1000 of them from the cache; 5 in the answer, 6 in thoughts');
  expect(text.match(/Content of type image\/png, 2 KB\./g)).toHaveLength(2);
  expect(text).toContain('Thought (unsigned, so it is not sent):\n\n```\nHm.');
  expect(text).toContain('Thought:\n\n```\nSigned.');
  expect(text).toContain('Result of `read_file` (c1), failed:');
  expect(text).not.toContain(image.data.slice(0, 40));
});

test('no text leaves its fence, and no name its line', () => {
  const evil = '```\n# Not a heading\n````\n# Nor this\n`````js';
  const named: Part = { kind: 'result', id: 'x`\n# y', name: 'a`\n# Fake', ok: true, text: evil };
  const { headings, codes } = read(describeRequest(requestOf([user(named, evil)], { system: evil }), {}));
  expect(headings).toEqual(['What was sent', 'System prompt', 'Tools (0)', 'Messages (1)', '1. User']);
  expect(codes).toEqual([evil, evil, evil]);
});

test('secrets are masked wherever they stand, and the rest is exact', () => {
  const key = `AIza${'Sy1x'.repeat(9)}`;
  const leaking: Part = { ...call, args: { command: `curl -H "x-goog-api-key: ${key}"` } };
  const result: Part = {
    kind: 'result',
    id: 'c1',
    name: 'read_file',
    ok: true,
    text: `KEY is ${key}, tab\there`,
  };
  const request = requestOf([user(`My key: ${key}`), model(leaking), user(result)], { system: `Key ${key}` });
  const text = describeRequest(request, {});
  expect(text).not.toContain(key);
  expect(text).toContain('tab\there');
  expect(text).toContain('Tokens: not counted by the provider');
});
