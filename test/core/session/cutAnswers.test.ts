/* An answer that reached its length limit, over the wires that tell of it. */

import { afterEach, describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { makeWorld } from '../../support/conversation.ts';
import { call, finish, text } from '../../support/geminiAnswers.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import { makeWireWorld, type WireWorld } from '../../support/wireWorld.ts';

const worlds: { readonly dispose: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

async function geminiWorld(): Promise<WireWorld> {
  const world = await makeWireWorld({ files: { 'a.txt': 'alpha' } });
  worlds.push(world);
  return world;
}

async function chatWorld() {
  const server = await startOpenAiServer();
  const world = makeWorld({ answers: [], model: 'qwen3', mode: 'yolo', provider: openAiAt(server.baseUrl) });
  worlds.push({ dispose: () => world.session.dispose().then(() => server.dispose()) });
  return { ...world, server };
}

const limit = { promptTokenCount: 50, candidatesTokenCount: 1000, thoughtsTokenCount: 3096 };
const sentence =
  'The model reached its length limit after 4,096 tokens, so the answer is incomplete. Retry, or send "Continue" for the rest. If you run the model yourself, raise its limit.';

describe('an answer that was cut off at its length limit', () => {
  it('ends the turn with how long it became, and stays in the history', async () => {
    const { session, server, contents } = await geminiWorld();
    server.script([text('One, two, th'), finish('MAX_TOKENS', limit)], [text('ree.')]);
    expect(await session.send('Count.')).toEqual({
      kind: 'failed',
      trouble: { kind: 'cut', message: sentence },
    });
    expect(server.requests).toHaveLength(1);
    expect(await session.retry()).toEqual({ kind: 'rested' });
    expect(
      contents()
        .at(-1)
        ?.map(({ role, parts }) => [role, parts?.[0]?.text]),
    ).toEqual([
      ['user', expect.any(String)],
      ['model', 'One, two, th'],
      ['user', 'Continue from where you stopped.'],
    ]);
  });

  it('is told over chat completions, too, also where the server counts no tokens', async () => {
    const { session, server } = await chatWorld();
    server.script([chat.text('One, two, th'), chat.finish('length')], [chat.text('ree.')]);
    const end = await session.send('Count.');
    expect(end).toMatchObject({ kind: 'failed', trouble: { kind: 'cut' } });
    expect(JSON.stringify(end)).toContain('reached its length limit, so the answer');
    expect(await session.send('Continue.')).toEqual({ kind: 'rested' });
    expect(server.requests.at(-1)?.body.messages?.at(-2)).toEqual({
      role: 'assistant',
      content: 'One, two, th',
    });
  });

  it('continues automatically where its calls had come whole', async () => {
    const { session, server, contents } = await geminiWorld();
    const read = call('read_file', { file_path: 'a.txt' });
    server.script([text('I lo'), read, finish('MAX_TOKENS', limit)], [text('It says alpha.')]);
    expect(await session.send('Look.')).toEqual({ kind: 'rested' });
    expect(JSON.stringify(contents().at(-1))).toContain('alpha');
  });

  it('runs no call that was cut, and the model hears of it', async () => {
    const { session, server, events } = await chatWorld();
    const write = { name: 'write_file', arguments: '{"file_path":"b.txt","content":"half of' };
    const cut = [chat.pieces({ index: 0, id: 'a', function: write }), chat.finish('length')];
    server.script(cut, [chat.text('I leave it.')]);
    expect(await session.send('Write.')).toEqual({ kind: 'rested' });
    expect(events.filter(({ type }) => type === 'call.ended')).toMatchObject([{ outcome: 'failed' }]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages?.at(-1))).toContain('cut off, behind');
  });

  it('is not the end of an agent, which still has one step to hand in what it has', async () => {
    const half = { parts: [{ kind: 'text', text: 'Half of' }], cut: true } as const;
    const provider = new CastModel({
      go: [send(['generalist', 'Work']), say('Done.')],
      Work: [ask(['read_file', { file_path: 'a.txt' }]), half, report('Half of it.')],
    });
    const { session } = makeWorld({ answers: [], agents: builtInAgents, provider });
    expect(await session.send('go')).toEqual({ kind: 'rested' });
    expect(JSON.stringify(provider.requestsOf('go').at(-1)?.messages)).toContain('Half of it.');
  });
});
