import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { readJournals } from '../../../src/extension/core/recording/readEvents.ts';
import { readSession } from '../../../src/extension/core/recording/restore.ts';
import { defineReadTool } from '../../../src/extension/core/tool.ts';
import { eventOf, isAgentEvent } from '../../../src/protocol/fold/agents.ts';
import { reduceWithAgents } from '../../../src/protocol/fold/reduceAgents.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World } from '../../support/conversation.ts';
import { all, onEmitted } from '../../support/emitted.ts';
import { eventIn, journalLines, putJournals } from '../../support/journals.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const scripts: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
  go: [
    send(['generalist', 'Write'], ['codebase_investigator', 'Read']),
    ask(['read_file', { file_path: 'a.txt' }]),
    say('Done.'),
  ],
  Write: [
    ask(['write_file', { file_path: 'b.txt', content: 'b' }], ['run_shell_command', { command: 'npm test' }]),
    say('I forget to report.'),
    report('Wrote b.txt.'),
  ],
  Read: [
    ask(['read_file', { file_path: 'a.txt' }]),
    ask(['complete_task', { SummaryOfFindings: 'x', ExplorationTrace: [], RelevantLocations: [] }]),
  ],
};

function world(played = scripts): World & { readonly cast: CastModel } {
  const cast = new CastModel(played);
  const files = { 'a.txt': 'alpha' };
  return { ...makeWorld({ answers: [], files, agents: builtInAgents, provider: cast }), cast };
}

/** Says yes to everything, inside of agents as well. */
function agreeToAll({ session }: World): void {
  onEmitted(session, reported => {
    if (reported.type === 'call.asked') setImmediate(() => session.decide(reported.callId, { kind: 'once' }));
  });
}

/** What is still open in a session that rests. */
function openIn(state: SessionState): readonly string[] {
  const activity = state.activity.status === 'resting' ? [] : [`it is ${state.activity.status}`];
  const calls = state.chapters
    .flatMap(chapter => [...iterate(chapter.items)])
    .filter(item => item.type === 'call');
  return [
    ...activity,
    ...calls.flatMap(({ id, status, agent }) => [
      ...(status.kind === 'ended' ? [] : [`${id} is ${status.kind}`]),
      ...(agent ? openIn(agent.session).map(what => `${id}: ${what}`) : []),
    ]),
  ];
}

async function wholeTurn(): Promise<World> {
  const whole = world();
  agreeToAll(whole);
  expect(await whole.session.send('go')).toEqual({ kind: 'rested' });
  return whole;
}

const goOn = { go: [say('ok')], 'and now?': [say('ok')] };

describe('a turn with agents', () => {
  it('stopped after any event leaves nothing open, in it or in them', async () => {
    const { length } = (await wholeTurn()).reported;
    expect(length).toBeGreaterThan(60);
    for (let at = 2; at <= length; at++) {
      const cut = world();
      agreeToAll(cut);
      onEmitted(cut.session, event => {
        if (event.seq === at) void cut.session.stop();
      });
      const end = await cut.session.send('go');
      const heard = cut.reported.length;
      expect(['stopped', 'rested'], `stopped at ${at}`).toContain(end.kind);
      expect(callFaults(all(cut.reported)), `stopped at ${at}`).toEqual([]);
      expect(openIn(cut.session.state), `stopped at ${at}`).toEqual([]);
      expect(cut.events.at(-1)?.type, `stopped at ${at}`).toBe('turn.ended');
      const next = world(goOn);
      putJournals(next.store, 'x', journalLines(cut.store, cut.session.id));
      await (await next.agent.openSession('x')).send('and now?');
      expect(historyFaults(next.cast.requests[0]!.messages), `stopped at ${at}`).toEqual([]);
      expect(cut.reported, `stopped at ${at}`).toHaveLength(heard);
    }
  });

  it('stopped while a call of theirs runs that heeds nothing ends from the inside out', async () => {
    const deaf = defineReadTool({
      name: 'deaf',
      description: 'Never ends.',
      input: () => z.object({}),
      title: () => 'Deaf',
      run: () => new Promise<never>(() => {}),
    });
    const cast = new CastModel({ go: [send(['generalist', 'Hang'])], Hang: [ask(['deaf', {}])] });
    const lived = makeWorld({ answers: [], agents: builtInAgents, provider: cast, tools: [deaf] });
    lived.session.onAgentEvent(({ event }) => {
      if (event.type === 'call.started') setImmediate(() => void lived.session.stop());
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'stopped' });
    expect(openIn(lived.session.state)).toEqual([]);
    const ends = lived.reported.slice(-6).map(reported => [isAgentEvent(reported), eventOf(reported).type]);
    expect(ends).toEqual([
      ...['call.ended', 'message.added', 'turn.ended'].map(type => [true, type]),
      ...['call.ended', 'message.added', 'turn.ended'].map(type => [false, type]),
    ]);
  });

  it('killed after any event comes back with nothing open', async () => {
    const whole = await wholeTurn();
    const lines = journalLines(whole.store, whole.session.id);
    for (let kept = 1; kept <= lines.length; kept++) {
      const next = world(goOn);
      putJournals(next.store, 'cut', lines.slice(0, kept));
      const session = await next.agent.openSession('cut');
      expect(openIn(session.state), `cut after ${kept}`).toEqual([]);
      await session.send('and now?');
      expect(historyFaults(next.cast.requests[0]!.messages), `cut after ${kept}`).toEqual([]);
      await session.dispose();
      const read = readSession(await readJournals(next.store, 'cut'));
      expect(openIn(read.state), `cut after ${kept}, on the disk`).toEqual([]);
      expect(read.state, `cut after ${kept}, on the disk`).toEqual(session.state);
    }
  });

  it('folds to the live state from its journal', async () => {
    const { session, reported, store } = await wholeTurn();
    expect(reported.reduce(reduceWithAgents, emptySession)).toEqual(session.state);
    const { state } = readSession(await readJournals(store, session.id));
    expect(state).toEqual(session.state);
    const recorded = journalLines(store, session.id).map(eventIn);
    // Live output is shown and not kept, theirs as little as the session's own.
    expect(all(reported).some(({ type }) => type === 'call.output')).toBe(true);
    expect(recorded.some(({ type }) => type === 'call.output')).toBe(false);
  });

  it('that was interrupted says so of the agent, and counts no time after it', async () => {
    const whole = await wholeTurn();
    const lines = journalLines(whole.store, whole.session.id);
    const running = lines.findIndex(line => line.callId && eventIn(line).type === 'call.started');
    const next = world(goOn);
    putJournals(next.store, 'cut', lines.slice(0, running + 1));
    next.clock.pass(3_600_000);
    const { state } = await next.agent.openSession('cut');
    const calls = state.chapters
      .flatMap(chapter => [...iterate(chapter.items)])
      .filter(item => item.type === 'call');
    const { agent, status } = calls[0]!;
    const display = { summary: 'Ended by the end of Folio' };
    expect(status).toMatchObject({ outcome: 'cancelled', display });
    const items = agent!.session.chapters.flatMap(chapter => [...iterate(chapter.items)]);
    expect(items.at(-1)).toMatchObject({ type: 'end', end: { kind: 'stopped' } });
    expect(agent!.session.chapters[0]!.activeMs).toBeLessThan(3_600_000);
  });
});

describe('stopping one agent', () => {
  it.each([
    ['while it waits for the user', 'call.asked'],
    ['while it works', 'step.started'],
    ['while a call of it runs', 'call.started'],
  ] as const)('ends it alone, %s', async (_name, type) => {
    const lived = world();
    let stopped = false;
    lived.session.onAgentEvent(reported => {
      if (reported.agent !== 'generalist') return;
      if (!stopped && reported.event.type === type) {
        stopped = true;
        setImmediate(() => expect(lived.session.stopAgent(reported.callId)).toBe(true));
      } else if (reported.event.type === 'call.asked') {
        const { callId } = reported.event;
        setImmediate(() => lived.session.decide(callId, { kind: 'once' }));
      }
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(openIn(lived.session.state)).toEqual([]);
    const ends = lived.reported
      .filter(isAgentEvent)
      .flatMap(({ agent, event }) => (event.type === 'turn.ended' ? [[agent, event.end.kind]] : []));
    expect(Object.fromEntries(ends)).toEqual({ generalist: 'stopped', codebase_investigator: 'rested' });
    const results = JSON.stringify(lived.cast.requestsOf('go')[1]!.messages.at(-1));
    expect(results).toContain('The user stopped it');
    const card = lived.events.find(event => event.type === 'call.ended' && event.outcome === 'failed');
    expect(card).toMatchObject({ display: { summary: 'You stopped it.' } });
  });

  it('says no for one that does not work', async () => {
    const { session, reported } = await wholeTurn();
    const [sent] = reported.filter(isAgentEvent);
    expect(session.stopAgent(sent!.callId)).toBe(false);
    expect(session.stopAgent('nobody')).toBe(false);
  });
});
