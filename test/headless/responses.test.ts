import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import * as gpt from '../support/responsesAnswers.ts';
import { type ResponsesServer, startResponsesServer } from '../support/responsesServer.ts';

let world: HeadlessWorld;
let server: ResponsesServer;

beforeEach(async () => {
  [world, server] = await Promise.all([HeadlessWorld.make(), startResponsesServer({ apiKey: 'test-key' })]);
});

afterEach(() => Promise.all([world.dispose(), server.dispose()]));

async function run(settings: object, env: Readonly<Record<string, string>> = { OPENAI_API_KEY: 'test-key' }) {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  server.script([gpt.text('Done.')]);
  const asked = ['--prompt', 'hi', '--provider', 'openai-responses', '--model', 'gpt-5.1'];
  return world.run([...asked, '--base-url', server.baseUrl, '--settings', file], { env });
}

it('a GPT model writes as much as the settings say, and a step that there is not is told in one sentence', async () => {
  expect((await run({ 'folio.openaiResponses.verbosity': 'low' })).code).toBe(0);
  const [{ body, fault } = { body: undefined, fault: 'never asked' }] = server.requests.slice(-1);
  expect([fault, body?.text]).toEqual([undefined, { verbosity: 'low' }]);
  const { error } = await run({ 'folio.openaiResponses.verbosity': 'chatty' });
  expect(error).toContain('"folio.openaiResponses.verbosity" must be "low", "medium" or "high", or empty.');
});
