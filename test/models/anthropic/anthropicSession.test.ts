import { expect, test } from 'vitest';
import * as claude from '../../support/anthropicAnswers.ts';
import { anthropicAt } from '../../support/anthropicClient.ts';
import { startAnthropicServer } from '../../support/anthropicServer.ts';
import { makeWorld } from '../../support/conversation.ts';

const steps = 50;

test('from the second of fifty steps on a request repeats the one before, but for its marks', async () => {
  const server = await startAnthropicServer();
  for (let step = 1; step < steps; step++) {
    server.script([
      claude.thought(`Step ${step} needs another look.`),
      claude.call('read_file', { file_path: 'a.txt', start_line: step }, `toolu_${step}`),
    ]);
  }
  server.script([claude.text('Done.')]);
  const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
  const { session } = makeWorld({
    answers: [],
    mode: 'yolo',
    model: 'claude-sonnet-4-6',
    files: { 'a.txt': text },
    provider: anthropicAt(server.baseUrl),
  });
  expect(await session.send('Read it line by line.')).toEqual({ kind: 'rested' });
  expect(server.requests.map(({ fault }) => fault)).toEqual(Array.from({ length: steps }, () => undefined));
  const bodies = server.requests.map(({ bytes }) =>
    bytes.replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
  );
  // Each body ends with the brackets that close its messages.
  const broken = bodies.slice(1).filter((body, at) => !body.startsWith(bodies[at]!.slice(0, -2)));
  expect(broken).toEqual([]);
  await session.dispose();
  await server.dispose();
});
