import { describe, expect, it } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { type CallItem, newestChapter, type SessionState } from '../../src/protocol/state.ts';
import type { EmittedBody } from '../support/emitted.ts';
import { notify, prompt, rested, spent, started } from '../support/story.ts';

const sent = (callId: string): SessionEventBody => ({
  type: 'call.requested',
  callId,
  stepId: 's',
  tool: 'invoke_agent',
  effect: 'read',
  title: 'generalist: Look',
  args: {},
});
const of = (callId: string, event: SessionEventBody): EmittedBody => ({ callId, agent: 'generalist', event });
const opened = (callId: string) => [
  of(callId, { ...started, sessionId: callId } as SessionEventBody),
  of(callId, prompt('Look', `t-${callId}`)),
];
const called = (callId: string): SessionEventBody => ({
  type: 'call.requested',
  callId,
  stepId: 'n',
  tool: 'write_file',
  effect: 'edit',
  title: 'Write',
  args: {},
});
const asked = (callId: string): SessionEventBody => ({
  type: 'call.asked',
  callId,
  ask: { reason: 'Edits ask.', subject: { kind: 'other', detail: '' }, always: [] },
});
const decided = (callId: string): SessionEventBody => ({ type: 'call.decided', callId, decision: 'once' });
const ended = (
  callId: string,
  touched = [] as { path: string; added: number; removed: number }[],
): SessionEventBody => ({
  type: 'call.ended',
  callId,
  outcome: 'ok',
  display: { summary: 'Done', touched },
  durationMs: 1,
});

const working = [started, prompt('go'), sent('a'), sent('b'), ...opened('a'), ...opened('b')];

function callOf(state: SessionState, id: string): CallItem {
  const item = [...iterate(newestChapter(state).items)].find(each => each.type === 'call' && each.id === id);
  if (item?.type !== 'call') throw new Error(`There is no call ${id}.`);
  return item;
}

describe('the work of a subagent', () => {
  it('is a session inside of its call', () => {
    const state = notify(
      ...working,
      of('a', called('n1')),
      of('a', { type: 'text.appended', stepId: 'n', text: 'Hm' }),
    );
    const { agent } = callOf(state, 'a');
    expect(agent).toMatchObject({ name: 'generalist', session: { sessionId: 'a', title: 'Look' } });
    const items = [...iterate(newestChapter(agent!.session).items)];
    expect(items.map(({ type }) => type)).toEqual(['prompt', 'call', 'text']);
    expect([...iterate(newestChapter(state).items)].map(({ type }) => type)).toEqual([
      'prompt',
      'call',
      'call',
    ]);
    expect(newestChapter(state).calls).toBe(2);
  });

  it('makes the session wait for the user while a call of it does, whatever continues beside it', () => {
    const waits = [...working, of('a', called('n1')), of('b', called('n2')), of('a', asked('n1'))];
    const waiting = { status: 'waiting', callId: 'n1' };
    expect(notify(...waits).activity).toMatchObject(waiting);
    expect(notify(...waits, of('b', ended('n2'))).activity).toMatchObject(waiting);
    expect(notify(...waits, of('b', rested('t-b')), ended('b')).activity).toMatchObject(waiting);
    expect(notify(...waits, of('a', decided('n1'))).activity).toMatchObject({
      status: 'working',
      turnId: 't1',
    });
    expect(notify(...waits, of('a', ended('n1'))).activity).toMatchObject({ status: 'working' });
    expect(notify(...waits, of('a', ended('n1')), ended('a'), ended('b'), rested()).activity).toEqual({
      status: 'resting',
    });
  });

  it('continues waiting while any other call asks, of whichever agent or of the session itself', () => {
    const both = [
      ...working,
      of('a', called('n1')),
      of('b', called('n2')),
      of('a', asked('n1')),
      of('b', asked('n2')),
    ];
    const waitsFor = (callId: string) => ({ status: 'waiting', callId });
    expect(notify(...both, of('b', decided('n2'))).activity).toMatchObject(waitsFor('n1'));
    expect(notify(...both, of('a', decided('n1'))).activity).toMatchObject(waitsFor('n2'));
    expect(notify(...both, of('b', ended('n2'))).activity).toMatchObject(waitsFor('n1'));
    const all = [...both, called('own'), asked('own')];
    expect(notify(...all, decided('own')).activity).toMatchObject(waitsFor('n1'));
    expect(notify(...all, ended('own'), of('a', decided('n1'))).activity).toMatchObject(waitsFor('n2'));
    const none = [...all, decided('own'), of('a', ended('n1')), of('b', decided('n2'))];
    expect(notify(...none).activity).toMatchObject({ status: 'working', turnId: 't1' });
  });

  it('counts its files and its cost for the chapter, the session and the prompt, and no steps', () => {
    const state = notify(
      ...working,
      of('a', called('n1')),
      of('a', ended('n1', [{ path: 'x.ts', added: 2, removed: 1 }])),
      of('a', spent(1_000, 10, 0.02)),
      spent(500, 5, 0.01),
      ended('a'),
      rested(),
    );
    const chapter = newestChapter(state);
    expect(chapter.files).toEqual([{ path: 'x.ts', added: 2, removed: 1 }]);
    expect(chapter.usage).toMatchObject({ prompt: 1_500, output: 15 });
    expect(chapter.cost).toBeCloseTo(0.03);
    expect(state.cost).toBeCloseTo(0.03);
    expect(state.contextTokens).toBe(505);
    const [first] = [...iterate(chapter.items)];
    expect(first).toMatchObject({ spent: { steps: 1, usage: { prompt: 1_500 } } });
  });

  it('of a call that is not there changes nothing but the number', () => {
    const before = notify(...working);
    const after = notify(...working, of('gone', { type: 'text.appended', stepId: 'n', text: 'Hm' }));
    expect({ ...after, seq: 0 }).toEqual({ ...before, seq: 0 });
  });
});
