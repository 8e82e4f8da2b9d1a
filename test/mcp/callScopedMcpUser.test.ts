/* Questions of real servers while a session's calls run. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { builtInAgents } from '../../src/extension/core/agents/builtInAgents.ts';
import type { CallContext } from '../../src/extension/core/tool.ts';
import { CallScopedMcpUser } from '../../src/extension/mcp/callScopedMcpUser.ts';
import type {
  ElicitationAnswer,
  ElicitationRequest,
  McpUser,
} from '../../src/extension/mcp/connection/mcpUser.ts';
import type { Ask } from '../../src/protocol/asks.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import { ask, CastModel, report, say, send } from '../support/castModel.ts';
import { historyFaults } from '../support/checkHistory.ts';
import { makeWorld, type World } from '../support/conversation.ts';
import { onEmitted } from '../support/emitted.ts';
import { mcpWorld, packaged, ScriptedUser } from './support/mcpWorld.ts';

const program = packaged('@modelcontextprotocol/server-everything/dist/index.js');
const form = 'mcp_all_trigger-elicitation-request';

/** A session with the tools of a real server, whose user allows the calls themselves. */
async function serve(cast: CastModel) {
  const window = new ScriptedUser();
  const servers = await mcpWorld({ user: new CallScopedMcpUser(window) });
  onTestFinished(servers.end);
  servers.set({ all: { command: process.execPath, args: [program, 'stdio'] } });
  await servers.until('all', 'ready');
  const world = makeWorld({
    answers: [],
    mode: 'yolo',
    provider: cast,
    agents: builtInAgents,
    tools: servers.tools(),
  });
  return { ...world, window };
}

function onForm({ session }: World, act: (callId: string, ask: Ask) => void): void {
  onEmitted(session, reported => {
    if (reported.type === 'call.asked' && reported.ask.subject.kind === 'questions')
      setImmediate(() => act(reported.callId, reported.ask));
  });
}

/** The name, and nothing else. */
function nameAlone({ subject }: Ask): readonly Answer[] {
  if (subject.kind !== 'questions') throw new Error('No form was shown.');
  return subject.questions.map(({ header }) => (header === 'String' ? ['Ada'] : []));
}

function lastResult(cast: CastModel, opening: string): string {
  const part = cast.requestsOf(opening).at(-1)?.messages.at(-1)?.parts[0];
  return part?.kind === 'result' ? part.text : '';
}

describe('a form of a server', () => {
  test('is not answered by a second press that was meant for its call', async () => {
    const cast = new CastModel({ go: [ask([form, {}]), say('Done.')] });
    const world = await serve(cast);
    let forms = 0;
    onForm(world, (callId, shown) => {
      forms++;
      world.session.decide(callId, { kind: 'once' });
      setImmediate(() => world.session.decide(callId, { kind: 'answers', answers: nameAlone(shown) }));
    });
    expect(await world.session.send('go')).toEqual({ kind: 'rested' });
    expect(lastResult(cast, 'go')).toContain('"name": "Ada"');
    expect(forms).toBe(1);
  });

  test('is shown on the card of its call, and the answer reaches the server', async () => {
    const cast = new CastModel({ go: [ask([form, {}]), say('Done.')] });
    const world = await serve(cast);
    const asked: Ask[] = [];
    onForm(world, (callId, shown) => {
      asked.push(shown);
      world.session.decide(callId, { kind: 'answers', answers: nameAlone(shown) });
    });
    expect(await world.session.send('go')).toEqual({ kind: 'rested' });
    expect(asked).toMatchObject([
      {
        reason: 'The server all asks for information.',
        subject: { kind: 'questions', from: { server: 'all' } },
      },
    ]);
    expect(lastResult(cast, 'go')).toContain('"name": "Ada"');
    expect(world.window.asked).toEqual([]);
    expect(world.events.map(({ type }) => type).filter(type => type.startsWith('call.'))).toEqual([
      'call.requested',
      'call.started',
      'call.asked',
      'call.decided',
      'call.started',
      'call.ended',
    ]);
  });

  test('that the user turns down is declined, and the call says so', async () => {
    const cast = new CastModel({ go: [ask([form, {}]), say('Done.')] });
    const world = await serve(cast);
    onForm(world, callId => world.session.decide(callId, { kind: 'deny' }));
    await world.session.send('go');
    expect(lastResult(cast, 'go')).toMatch(/declin/i);
  });

  test('goes with a stopped turn, and the server is asked again afterwards', async () => {
    const cast = new CastModel({ go: [ask([form, {}]), ask([form, {}]), say('Done.')] });
    const world = await serve(cast);
    let count = 0;
    onForm(world, (callId, shown) => {
      count++;
      if (count === 1) void world.session.stop();
      else world.session.decide(callId, { kind: 'answers', answers: nameAlone(shown) });
    });
    expect(await world.session.send('go')).toEqual({ kind: 'stopped' });
    expect(await world.session.send('again')).toEqual({ kind: 'rested' });
    expect(count).toBe(2);
    expect(lastResult(cast, 'go')).toContain('"name": "Ada"');
    expect(historyFaults(cast.requests.at(-1)!.messages)).toEqual([]);
  });

  test('of a call that a subagent made is shown inside of it', async () => {
    const cast = new CastModel({
      go: [send(['generalist', 'Fill it in']), say('Done.')],
      'Fill it in': [ask([form, {}]), report('Filled in.')],
    });
    const world = await serve(cast);
    onForm(world, (callId, shown) => {
      const [outer] = world.session.state.chapters.flatMap(({ items }) => [...iterate(items)]).slice(-1);
      expect(outer?.type === 'call' && outer.agent?.name).toBe('generalist');
      world.session.decide(callId, { kind: 'answers', answers: nameAlone(shown) });
    });
    expect(await world.session.send('go')).toEqual({ kind: 'rested' });
    expect(lastResult(cast, 'Fill it in')).toContain('"name": "Ada"');
    expect(world.window.asked).toEqual([]);
  });
});

describe('a question of a server', () => {
  const noSignal = new AbortController().signal;
  const request = (callId?: string): ElicitationRequest => ({
    kind: 'address',
    server: 'all',
    message: 'Pay\nhere',
    address: 'https://example.com/pay',
    ...(callId !== undefined && { callId }),
  });
  const answering =
    (said: Awaited<ReturnType<NonNullable<CallContext['ask']>>>, asked: unknown[] = []): CallContext['ask'] =>
    async question => {
      asked.push({ ...question, reason: question.reason() });
      return said;
    };

  test('that belongs to no call that runs is asked as the window does', async () => {
    const window = new ScriptedUser();
    const user: McpUser = new CallScopedMcpUser(window);
    const yes: ElicitationAnswer = { kind: 'accepted', answers: [] };
    window.says.push(yes, yes, yes);
    expect(await user.answer(request(), noSignal)).toEqual(yes);
    expect(await user.answer(request('c1'), noSignal)).toEqual(yes);
    await user.during?.('c1', undefined, () => user.answer(request('c1'), noSignal));
    await user.during?.('c1', answering({ kind: 'once' }), async () => {});
    expect(window.asked).toHaveLength(3);
    expect(await user.answer(request('c1'), noSignal)).toEqual({ kind: 'cancelled' });
  });

  test('about an address shows it, and a yes or no is passed on', async () => {
    const user = new CallScopedMcpUser(new ScriptedUser());
    const asked: unknown[] = [];
    const answer = () => user.answer(request('c1'), noSignal);
    expect(await user.during('c1', answering({ kind: 'once' }, asked), answer)).toEqual({
      kind: 'accepted',
      answers: [],
    });
    expect(await user.during('c1', answering({ kind: 'deny' }, asked), answer)).toEqual({
      kind: 'declined',
    });
    expect(asked[0]).toEqual({
      reason: 'The server all asks you to open a page: Pay here',
      subject: { kind: 'fetch', urls: ['https://example.com/pay'] },
    });
  });
});
