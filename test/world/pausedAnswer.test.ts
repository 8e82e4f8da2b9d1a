import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { runHeadless } from '../support/headlessRun.ts';

it('an answer that the service paused is asked for again, and the run ends with the rest', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'folio-paused-'));
  const server = await startAnthropicServer();
  server.script([claude.text('The first half. '), claude.finish('pause_turn')], [claude.text('The second.')]);
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
  expect(server.requests.length).toBe(2);
  expect(JSON.stringify(server.requests[1]?.body)).toContain('The first half.');
});
