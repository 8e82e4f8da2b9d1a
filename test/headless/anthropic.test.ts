import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { type AnthropicServer, startAnthropicServer } from '../support/anthropicServer.ts';
import { findDeadAddress } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

let world: HeadlessWorld;
let server: AnthropicServer;

beforeEach(async () => {
  [world, server] = await Promise.all([HeadlessWorld.make(), startAnthropicServer()]);
});

afterEach(() => Promise.all([world.dispose(), server.dispose()]));

async function run(settings: object) {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  const usage = {
    input_tokens: 0,
    cache_creation_input_tokens: 100_000,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 100_000 },
    output_tokens: 0,
  };
  server.script([claude.text('ok'), claude.finish('end_turn', usage)]);
  const asked = ['--prompt', 'hi', '--output-format', 'json', '--provider', 'anthropic'];
  const where = ['--base-url', server.baseUrl, '--model', 'claude-haiku-4-5', '--settings', file];
  return world.run([...asked, ...where], { env: { ANTHROPIC_API_KEY: 'test' } });
}

it('a run keeps what it sends in the cache for an hour where the settings say so, and counts what that costs', async () => {
  const { out, code } = await run({ 'folio.anthropic.cacheLifetime': '1h' });
  expect(code).toBe(0);
  const sent = server.requests.at(-1)!;
  expect([sent.fault, sent.body.system?.at(-1)?.cache_control]).toEqual([
    undefined,
    { type: 'ephemeral', ttl: '1h' },
  ]);
  expect(JSON.parse(out).cost).toBeCloseTo(0.1 * 2);
});

it('a time that Anthropic does not have is told in one sentence, before anything is asked', async () => {
  const { error } = await run({ 'folio.anthropic.cacheLifetime': '1d' });
  expect(error).toContain('"folio.anthropic.cacheLifetime" must be "5m" or "1h".');
  expect(server.requests).toEqual([]);
});

it('while nobody has chosen a model, and Anthropic cannot be asked for its list, a Claude model is the one', async () => {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, '{"folio.maxAttempts": 1}');
  const asked = ['--prompt', 'hi', '--output-format', 'stream-json', '--settings', file];
  const where = ['--provider', 'anthropic', '--base-url', await findDeadAddress()];
  const { out, code } = await world.run([...asked, ...where], { env: { ANTHROPIC_API_KEY: 'test' } });
  expect(code).toBe(1);
  expect(eventsOf(out)[0]).toMatchObject({ type: 'session.started', model: 'claude-opus-5-5' });
});
