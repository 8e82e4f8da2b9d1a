import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { runHeadless } from '../support/headlessRun.ts';

it('an answer that the service paused goes back as it is, and the run ends with the rest', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'folio-paused-'));
  const server = await startAnthropicServer();
  server.script(
    [claude.thought('Hm.'), claude.text('The first part. '), claude.finish('pause_turn')],
    [claude.text('The second. '), claude.finish('pause_turn')],
    [claude.text('The third.')],
  );
  const { code, error } = await runHeadless({
    args: [
      '--workspace',
      workspace,
      '--provider',
      'anthropic',
      '--base-url',
      server.baseUrl,
      '--prompt',
      'go',
    ],
    env: { ANTHROPIC_API_KEY: 'test' },
  });
  await server.dispose();
  await rm(workspace, { recursive: true, force: true });
  expect(code, error).toBe(0);
  expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
  const [last, ...before] = (server.requests.at(-1)?.body.messages ?? []).toReversed();
  expect(last).toMatchObject({
    role: 'assistant',
    content: [{ type: 'thinking' }, { text: 'The first part. ' }, { text: 'The second. ' }],
  });
  expect(before).toHaveLength(1);
});
