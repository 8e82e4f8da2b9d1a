import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { AcpWorld, type TestClient } from './support/acpWorld.ts';

const { session } = methods.agent;

const world = eachTest(() => AcpWorld.make());

beforeEach(async () => {
  await writeFile(join(world.workspace, 'a.txt'), 'one\n');
});

const proposal = JSON.stringify({
  facts: [{ kind: 'convention', fact: 'Use tabs.', evidence: [{ at: 'P1', quote: 'Always use tabs here' }] }],
  skills: [],
});
const asked = () => world.server.requests.filter(({ method }) => method !== 'models').length;
const reads = () => Array.from({ length: 4 }, () => call('read_file', { file_path: 'a.txt' }));

/** Three prompts and eight calls; the answer after them is the light model's. */
async function work(client: TestClient): Promise<string> {
  world.server.script(reads(), [text('One.')], reads(), [text('Two.')], [text('Three.')], [text(proposal)]);
  const sessionId = await client.newSession(world.workspace);
  const before = asked();
  for (const prompt of ['Always use tabs here', 'Again', 'Thanks']) await client.prompt(sessionId, prompt);
  expect(asked()).toBe(before + 5);
  return sessionId;
}

async function inboxOf(client: TestClient): Promise<string> {
  const before = client.said('agent_message_chunk').length;
  await client.prompt(await client.newSession(world.workspace), '/memory inbox');
  return client.said('agent_message_chunk').slice(before);
}

describe('the memory inbox over the protocol', () => {
  it('gets the proposals of a session that is closed, and an accepted one is written', async () => {
    const client = await world.start();
    const sessionId = await work(client);
    const usages = client.of('usage_update').length;
    await client.agent.request(session.close, { sessionId });
    expect(asked()).toBe(6);
    // What it cost is told like that of a step.
    expect(client.of('usage_update')).toHaveLength(usages + 1);
    expect(await inboxOf(client)).toContain('1. Use tabs.');
    await client.prompt(await client.newSession(world.workspace), '/memory inbox accept 1');
    expect(await readFile(join(world.workspace, 'GEMINI.md'), 'utf8')).toContain('- Use tabs.');
    expect(client.faults).toEqual([]);
  });

  it('gets those of a session whose client goes', async () => {
    const client = await world.start();
    await work(client);
    await client.end();
    expect(asked()).toBe(6);
    expect(await inboxOf(await world.start())).toContain('1. Use tabs.');
  });

  it('gets those of a session when another one is opened', async () => {
    const client = await world.start();
    await work(client);
    await client.newSession(world.workspace);
    // The proposals are written after what they cost was told.
    await expect.poll(() => inboxOf(client)).toContain('1. Use tabs.');
  });

  it('stays empty by the setting, and when a session is deleted', async () => {
    const client = await world.start();
    await client.agent.request(session.delete, { sessionId: await work(client) });
    expect(asked()).toBe(5);
    const settings = join(world.folder, 'home', '.gemini', 'settings.json');
    await mkdir(join(settings, '..'));
    await writeFile(settings, '{ "folio": { "memory": { "propose": false } } }');
    const other = await world.start();
    await other.agent.request(session.close, { sessionId: await work(other) });
    expect(asked()).toBe(10);
  });
});
