import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { type AnyTool, type CallContext, defineReadTool } from '../../../src/extension/core/tool.ts';
import type { Ask } from '../../../src/protocol/asks.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World } from '../../support/conversation.ts';
import { inside, onEmitted } from '../../support/emitted.ts';

const question = {
  reason: 'The server tides asks for information.',
  subject: {
    kind: 'questions',
    questions: [{ header: 'Harbour', text: 'Which harbour?', field: { kind: 'text' } }],
    from: { server: 'tides', message: 'One thing before I continue' },
  },
} as const;
const asked = { ...question, reason: () => question.reason };

/** A tool that wants to know something while it runs. */
function inquire(
  run: (ask: NonNullable<CallContext['ask']>, signal: AbortSignal) => Promise<string>,
): AnyTool {
  return defineReadTool({
    name: 'inquire',
    description: 'Asks.',
    input: () => z.object({}),
    title: () => 'Inquire',
    run: async (_input, { ask, signal }) => {
      if (!ask) throw new Error('Nobody can be asked.');
      return { text: await run(ask, signal), display: { summary: () => 'Asked' } };
    },
  });
}

const never = new AbortController().signal;
const asking = inquire(async ask => JSON.stringify(await ask(asked, never)));

function world(tool: AnyTool, cast?: CastModel): World {
  const provider = cast ?? new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
  return makeWorld({ answers: [], tools: [tool], provider, agents: builtInAgents });
}

function onAsked(
  { session }: World,
  act: (event: SessionEvent<'call.asked'> | { readonly callId: string }) => void,
): void {
  onEmitted(session, reported => {
    if (reported.type === 'call.asked') setImmediate(() => act(reported));
  });
}

const ofCalls = (events: readonly SessionEvent[]) =>
  events.map(({ type }) => type).filter(type => type.startsWith('call.'));

function callOf(state: SessionState) {
  const items = state.chapters.flatMap(({ items }) => [...iterate(items)]);
  return items.find(item => item.type === 'call');
}

/** What the model read of the call. */
function resultOf({ requests }: CastModel): string {
  const part = requests
    .at(-1)
    ?.messages.at(-1)
    ?.parts.find(({ kind }) => kind === 'result');
  return part?.kind === 'result' ? part.text : '';
}

describe('a call that asks while it runs', () => {
  it('waits for the user, then runs on with what they said', async () => {
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(asking, cast);
    const waited: unknown[] = [];
    onAsked(lived, ({ callId }) => {
      const { activity } = lived.session.state;
      waited.push(activity.status, callOf(lived.session.state)?.status.kind);
      lived.session.decide(callId, { kind: 'answers', answers: [['Oslo']] });
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(waited).toEqual(['waiting', 'asking']);
    expect(ofCalls(lived.events)).toEqual([
      'call.requested',
      'call.started',
      'call.asked',
      'call.decided',
      'call.started',
      'call.ended',
    ]);
    expect(resultOf(cast)).toBe('{"kind":"answers","answers":[["Oslo"]]}');
    expect(lived.events.reduce(reduce, emptySession)).toEqual(lived.session.state);
  });

  it('hears that the user would not', async () => {
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(asking, cast);
    onAsked(lived, ({ callId }) => lived.session.decide(callId, { kind: 'deny' }));
    await lived.session.send('go');
    expect(resultOf(cast)).toBe('{"kind":"deny"}');
  });

  it('ends as cancelled when the turn is stopped in the middle, and nothing waits any more', async () => {
    const lived = world(asking);
    let asked = '';
    onAsked(lived, ({ callId }) => {
      asked = callId;
      void lived.session.stop();
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'stopped' });
    expect(callFaults(lived.events)).toEqual([]);
    expect(ofCalls(lived.events).at(-1)).toBe('call.ended');
    expect(callOf(lived.session.state)?.status).toMatchObject({ kind: 'ended', outcome: 'cancelled' });
    expect(lived.session.state.activity).toEqual({ status: 'resting' });
    expect(lived.session.decide(asked, { kind: 'answers', answers: [['late']] })).toBe(false);
  });

  it('whose question was withdrawn runs on, and the session works again', async () => {
    const between: unknown[] = [];
    const withdrawing = inquire(async ask => {
      const nobody = new AbortController();
      const answer = ask(asked, nobody.signal);
      nobody.abort(new Error('The server does not want to know any more'));
      const why = await answer.catch((error: Error) => error.message);
      between.push(lived.session.state.activity.status, callOf(lived.session.state)?.status.kind);
      return String(why);
    });
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(withdrawing, cast);
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(between).toEqual(['working', 'running']);
    expect(resultOf(cast)).toBe('The server does not want to know any more');
    expect(ofCalls(lived.events)).toEqual([
      'call.requested',
      'call.started',
      'call.asked',
      'call.started',
      'call.ended',
    ]);
  });

  it('may ask again', async () => {
    const twice = inquire(async ask => {
      const said = [await ask(asked, never), await ask(asked, never)];
      return said.map(({ answers }) => answers?.join()).join(' and ');
    });
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(twice, cast);
    let count = 0;
    onAsked(lived, ({ callId }) =>
      lived.session.decide(callId, { kind: 'answers', answers: [[String(++count)]] }),
    );
    await lived.session.send('go');
    expect(resultOf(cast)).toBe('1 and 2');
  });

  it('is not decided on by a second press that was meant for the ask before', async () => {
    const page = (url: string) =>
      ({ reason: () => 'Open it?', subject: { kind: 'fetch', urls: [url] } }) as const;
    const twice = inquire(async ask => {
      const said = [await ask(page('https://a.example'), never), await ask(page('https://b.example'), never)];
      return said.map(({ kind }) => kind).join(' and ');
    });
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(twice, cast);
    const shown: string[] = [];
    const taken: boolean[] = [];
    lived.session.onEvent(event => {
      if (event.type !== 'call.asked') return;
      const { callId } = event;
      shown.push(event.ask.id!);
      setImmediate(() => {
        // Once about what was shown first, whatever is asked by then.
        taken.push(lived.session.decide(callId, { kind: 'once', askId: shown[0] }));
        taken.push(lived.session.decide(callId, { kind: 'once', askId: 'never-shown' }));
        if (shown.length === 2) lived.session.decide(callId, { kind: 'deny', askId: shown[1] });
      });
    });
    await lived.session.send('go');
    expect(new Set(shown).size).toBe(2);
    expect(taken).toEqual([true, false, false, false]);
    expect(resultOf(cast)).toBe('once and deny');
  });

  it('is not decided on by a second press of the one that let it run', async () => {
    const first = {
      reason: () => 'Open it?',
      subject: { kind: 'fetch', urls: ['https://a.example'] },
    } as const;
    const careful: AnyTool = {
      ...inquire(async ask => (await ask(first, never)).kind),
      effect: 'run',
    };
    const cast = new CastModel({ go: [ask(['inquire', {}]), say('Done.')] });
    const lived = world(careful, cast);
    const asks: Ask[] = [];
    lived.session.onEvent(event => {
      if (event.type !== 'call.asked') return;
      const { callId, ask: asked } = event;
      asks.push(asked);
      setImmediate(() => {
        if (asks.length === 1) lived.session.decide(callId, { kind: 'once', askId: asked.id });
        // The same press once more, when the call runs and asks for something else.
        else if (!lived.session.decide(callId, { kind: 'once', askId: asks[0]?.id }))
          lived.session.decide(callId, { kind: 'deny', askId: asked.id });
      });
    });
    await lived.session.send('go');
    expect(asks.map(({ subject }) => subject.kind)).toEqual(['other', 'fetch']);
    expect(resultOf(cast)).toBe('deny');
  });

  it('and ends without an answer takes its question along', async () => {
    let heard: Promise<unknown> = Promise.resolve();
    const hasty = inquire(async ask => {
      heard = ask(asked, never).catch((error: Error) => error.message);
      return 'Did not wait.';
    });
    const lived = world(hasty);
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(callFaults(lived.events)).toEqual([]);
    expect(ofCalls(lived.events).at(-1)).toBe('call.ended');
    expect(lived.session.state.activity).toEqual({ status: 'resting' });
    expect(await heard).toBe('The call ended before it was answered');
    const { id } = callOf(lived.session.state)!;
    expect(lived.session.decide(id, { kind: 'answers', answers: [['late']] })).toBe(false);
  });

  it('inside of subagents asks one at a time, and each gets its own answer', async () => {
    const cast = new CastModel({
      go: [send(['generalist', 'North'], ['generalist', 'South']), say('Done.')],
      North: [ask(['inquire', {}]), report('North asked.')],
      South: [ask(['inquire', {}]), report('South asked.')],
    });
    const lived = world(asking, cast);
    const open = new Set<string>();
    let most = 0;
    lived.session.onAgentEvent(({ event }) => {
      if (event.type === 'call.asked') open.add(event.callId);
      if (event.type === 'call.decided') open.delete(event.callId);
      most = Math.max(most, open.size);
    });
    onAsked(lived, ({ callId }) => {
      expect(lived.session.state.activity).toMatchObject({ status: 'waiting', callId });
      lived.session.decide(callId, { kind: 'answers', answers: [[callId]] });
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(most).toBe(1);
    const asked = inside(lived.reported).flatMap(event =>
      event.type === 'call.asked' ? [event.callId] : [],
    );
    expect(asked).toHaveLength(2);
    for (const opening of ['North', 'South']) {
      const [, second] = cast.requestsOf(opening);
      const result = second?.messages.at(-1)?.parts[0];
      expect(asked.some(callId => result?.kind === 'result' && result.text.includes(callId))).toBe(true);
    }
  });

  it('that was cut off with its host is told as one that may have had an effect', async () => {
    const lived = world(asking);
    onAsked(lived, ({ callId }) => lived.session.decide(callId, { kind: 'answers', answers: [['x']] }));
    await lived.session.send('go');
    const recorded = lived.store.journals.get(lived.session.id)!;
    // Asks had no ids in earlier versions.
    const lines = recorded.map(line => line.replace(/"ask":\{"id":"[^"]*",/, '"ask":{'));
    expect(lines).not.toEqual(recorded);
    const typeOf = (line: string) => JSON.parse(line).type;
    const from = lines.findIndex(line => typeOf(line) === 'call.asked') + 1;
    const to = lines.findIndex(line => typeOf(line) === 'call.ended');
    expect(to - from).toBe(2);
    for (let kept = from; kept <= to; kept++) {
      const cast = new CastModel({ go: [say('ok')] });
      const next = world(asking, cast);
      next.store.journals.set('cut', lines.slice(0, kept));
      const again = await next.agent.openSession('cut');
      expect(callOf(again.state)?.status, `cut after ${kept}`).toMatchObject({
        kind: 'ended',
        outcome: 'cancelled',
        display: { summary: 'Ended by the end of Folio' },
      });
      expect(again.state.activity).toEqual({ status: 'resting' });
      await again.send('and now?');
      const { messages } = cast.requests[0]!;
      expect(historyFaults(messages)).toEqual([]);
      expect(JSON.stringify(messages)).toContain('whether it took effect is unknown');
    }
  });
});
