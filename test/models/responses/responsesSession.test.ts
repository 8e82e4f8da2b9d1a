import { expect, test } from 'vitest';
import { makeWorld } from '../../support/conversation.ts';
import * as gpt from '../../support/responsesAnswers.ts';
import { responsesAt } from '../../support/responsesClient.ts';
import { startResponsesServer } from '../../support/responsesServer.ts';

const steps = 50;

test('from the second of fifty steps on a request repeats the one before', async () => {
  const server = await startResponsesServer();
  for (let step = 1; step < steps; step++) {
    server.script([
      gpt.thought(`Step ${step} needs another look.`),
      gpt.call('read_file', { file_path: 'a.txt', start_line: step }, `call_${step}`),
    ]);
  }
  server.script([gpt.text('Done.')]);
  const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
  const { session } = makeWorld({
    answers: [],
    mode: 'yolo',
    model: 'gpt-5',
    files: { 'a.txt': text },
    provider: responsesAt(server.baseUrl),
  });
  expect(await session.send('Read it line by line.')).toEqual({ kind: 'rested' });
  expect(server.requests.map(({ fault }) => fault)).toEqual(Array.from({ length: steps }, () => undefined));
  const inputs = server.requests.map(({ body }) => JSON.stringify(body.input));
  const broken = inputs.slice(1).filter((input, at) => !input.startsWith(inputs[at]!.slice(0, -1)));
  expect(broken).toEqual([]);
  const { input: _, ...same } = server.requests[0]!.body;
  expect(server.requests.map(({ body: { input: _, ...rest } }) => rest)).toEqual(
    Array.from({ length: steps }, () => same),
  );
  await session.dispose();
  await server.dispose();
});
