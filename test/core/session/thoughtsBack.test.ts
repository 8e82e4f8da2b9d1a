import { isAgentEvent } from '../../../src/protocol/fold/agents.ts';
/* Sessions with a chat server that refuses the results of calls unless what was thought before them comes along. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { makeWorld, type World } from '../../support/conversation.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import type { ChatRequestBody } from '../../support/openaiRequestRules.ts';
import { type OpenAiServer, type RecordedChat, startOpenAiServer } from '../../support/openaiServer.ts';

interface ThinkingWorld extends World {
  readonly server: OpenAiServer;
}

async function world(): Promise<ThinkingWorld> {
  const server = await startOpenAiServer({ refuses: findMissingThought });
  onTestFinished(() => server.dispose());
  const provider = openAiAt(server.baseUrl);
  const made = makeWorld({ answers: [], files: { a: 'alpha' }, mode: 'yolo', model: 'deep', provider });
  return { ...made, server };
}

function findMissingThought({ messages = [] }: ChatRequestBody): string | undefined {
  const at = messages.findIndex(each => each.tool_calls && typeof each.reasoning_content !== 'string');
  return at < 0
    ? undefined
    : `Missing \`reasoning_content\` field in the assistant message at message index ${at}.`;
}

/** A step that thinks in pieces, with seals, and calls. */
function step(number: number): chat.ChatAnswer {
  const data = `c2VhbA${number}==`;
  return [
    chat.delta({ reasoning_content: `Schritt ${number}: ` }),
    chat.delta({ reasoning_content: 'ich sehe nach.' }),
    chat.delta({ reasoning_details: [{ type: 'reasoning.encrypted', data, index: 0 }] }),
    chat.text('I look.'),
    chat.call('read_file', { file_path: 'a' }, { id: `call_${number}` }),
  ];
}

/** All that a request says, as it went over the wire, up to where the next one continues. */
function prefixOf({ body }: RecordedChat): string {
  const { messages, ...rest } = body;
  return `${JSON.stringify(rest)}${JSON.stringify(messages).slice(0, -1)}`;
}

function expectPrefixes(requests: readonly RecordedChat[]): void {
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1];
    if (before) expect(prefixOf(request).startsWith(`${prefixOf(before)},`), `request ${at}`).toBe(true);
  }
}

function withoutOrigin(name: string, value: unknown): unknown {
  return name === 'origin' ? undefined : value;
}

/** Another run of the program, with the journal that the session left. */
async function resumed(
  { session: left, store }: World,
  change = (line: string) => line,
): Promise<ThinkingWorld> {
  const next = await world();
  const lines = store.journals.get(left.id)!;
  next.store.journals.set('back', lines.map(change));
  const session = await next.agent.openSession('back', reported => {
    if (!isAgentEvent(reported)) next.events.push(reported);
  });
  return { ...next, session };
}

describe('what was thought before calls', () => {
  it('goes back with each request, each beginning with the whole one before it, also after a reload', async () => {
    const first = await world();
    first.server.script(step(1), step(2), step(3), [chat.thought('Fertig.'), chat.text('Done.')]);
    expect(await first.session.send('Look.')).toEqual({ kind: 'rested' });
    const back = await resumed(first);
    back.server.script(step(4), [chat.text('Still done.')]);
    expect(await back.session.send('Again.')).toEqual({ kind: 'rested' });
    const requests = [...first.server.requests, ...back.server.requests];
    expect(requests.map(({ fault }) => fault)).toEqual(requests.map(() => undefined));
    expectPrefixes(requests);
    const [, asked] = first.server.requests;
    expect(asked?.body.messages?.find(({ role }) => role === 'assistant')).toMatchObject({
      reasoning_content: 'Schritt 1: ich sehe nach.',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VhbA1==', index: 0 }],
    });
  });

  it('is in the journal and the history, and in nothing that the panel is given', async () => {
    const { session, server, store, events } = await world();
    server.script(step(1), [chat.text('Done.')]);
    await session.send('Look.');
    expect(JSON.stringify(store.journals.get(session.id))).toContain('c2VhbA1==');
    const shown = events.filter(({ type }) => type !== 'message.added');
    expect(JSON.stringify([shown, session.state])).not.toMatch(/c2VhbA|origin|reasoning/);
  });

  it('is not known of a session that an earlier version recorded, which continues all the same', async () => {
    const first = await world();
    first.server.script(step(1), [chat.text('Done.')]);
    await first.session.send('Look.');
    const back = await resumed(first, line => JSON.stringify(JSON.parse(line), withoutOrigin));
    expect(JSON.stringify(back.store.journals.get('back'))).not.toMatch(/origin|c2VhbA/);
    back.server.script(step(2), [chat.text('Still done.')]);
    expect(await back.session.send('Again.')).toEqual({ kind: 'rested' });
    expect(back.server.requests.map(({ fault }) => fault !== undefined)).toEqual([true, false, false]);
    expectPrefixes(back.server.requests.slice(1));
    expect(back.events.filter(({ type }) => type === 'step.retried')).toHaveLength(1);
  });

  it('goes to no other model, and is back when its own is asked again', async () => {
    const { session, server } = await world();
    server.script(step(1), [chat.text('One.')], [chat.text('Two.')], [chat.text('Three.')]);
    await session.send('Look.');
    session.setModel('other');
    expect(await session.send('And you?')).toEqual({ kind: 'rested' });
    const thoughts = () => JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(thoughts()).not.toMatch(/Schritt|c2VhbA/);
    session.setModel('deep');
    await session.send('And again?');
    expect(thoughts()).toMatch(/Schritt.*c2VhbA/);
  });
});
