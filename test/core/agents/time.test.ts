import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { PausableTimer } from '../../../src/extension/core/calls/pausableTimer.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { inside } from '../../support/emitted.ts';
import { ManualClock } from '../../support/manualClock.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const minute = 60_000;

describe('a limit of time', () => {
  function limit(ms: number) {
    const clock = new ManualClock();
    let rings = 0;
    return { clock, limit: new PausableTimer(clock, ms, () => rings++), rings: () => rings };
  }

  it('rings once when the time has passed', () => {
    const { clock, rings } = limit(100);
    clock.pass(99);
    expect(rings()).toBe(0);
    clock.pass(1);
    clock.pass(1000);
    expect(rings()).toBe(1);
  });

  it('leaves out the time in which it was held, also by two at once', () => {
    const { clock, limit: held, rings } = limit(100);
    clock.pass(60);
    held.hold();
    held.hold();
    clock.pass(1000);
    held.release();
    clock.pass(1000);
    held.release();
    clock.pass(39);
    expect(rings()).toBe(0);
    clock.pass(1);
    expect(rings()).toBe(1);
  });

  it('never rings once it is disposed, also when what held it lets go', () => {
    const { clock, limit: held, rings } = limit(100);
    held.hold();
    held.dispose();
    held.release();
    clock.pass(1000);
    expect(rings()).toBe(0);
  });
});

interface Timed extends World {
  readonly cast: CastModel;
}

function world(work: readonly ScriptedAnswer[], options: Partial<WorldOptions> = {}): Timed {
  const cast = new CastModel({ go: [send(['generalist', 'Work']), say('Done.')], Work: work });
  return { ...makeWorld({ answers: [], agents: builtInAgents, provider: cast, ...options }), cast };
}

function onInside(
  { session }: World,
  type: SessionEventBody['type'],
  act: (reported: SessionEventBody) => void,
) {
  session.onAgentEvent(({ event }) => {
    if (event.type === type) act(event);
  });
}

function ended({ reported }: World) {
  return inside(reported).find(event => event.type === 'turn.ended')?.end;
}

describe('the time of an agent', () => {
  it('ends an answer that does not come, and leaves one step to hand in what there is', async () => {
    const lived = world([{ hang: true, partial: 'Half of' }, report('Half of it.')]);
    onInside(lived, 'text.appended', () => setImmediate(() => lived.clock.pass(10 * minute)));
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(ended(lived)).toEqual({ kind: 'rested' });
    const [, last] = lived.cast.requestsOf('Work');
    expect(JSON.stringify(last!.messages)).toContain('Half of');
    expect(JSON.stringify(last!.messages.at(-1))).toContain('Your time is up');
  });

  it('of the last step is a minute; after it the call fails', async () => {
    const lived = world([{ hang: true, partial: 'Half of it.' }, { hang: true }]);
    let steps = 0;
    onInside(lived, 'step.started', () => {
      steps++;
      setImmediate(() => setImmediate(() => lived.clock.pass(steps === 1 ? 10 * minute : minute)));
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(ended(lived)).toMatchObject({ kind: 'budget', budget: { kind: 'time', limit: 10 * minute } });
    const result = JSON.stringify(lived.cast.requestsOf('go')[1]!.messages.at(-1));
    expect(result).toContain('Its time of 10 minutes was up. What it had said until then:');
    expect(result).toContain('Half of it.');
  });

  it('ends a command that takes too long', async () => {
    const lived = world([ask(['run_shell_command', { command: 'hang' }]), report('It hung.')], {
      mode: 'yolo',
    });
    onInside(lived, 'call.started', () => setImmediate(() => lived.clock.pass(10 * minute)));
    await lived.session.send('go');
    const results = JSON.stringify(lived.cast.requestsOf('Work')[1]!.messages);
    expect(results).toContain("The agent's time was up before this call finished.");
  });

  it('stands still while the user is asked', async () => {
    const lived = world([ask(['write_file', { file_path: 'a', content: 'b' }]), report('Written.')]);
    onInside(lived, 'call.asked', reported => {
      lived.clock.pass(60 * minute);
      if (reported.type === 'call.asked')
        setImmediate(() => lived.session.decide(reported.callId, { kind: 'once' }));
    });
    await lived.session.send('go');
    expect([...lived.files]).toEqual([['a', 'b']]);
    expect(ended(lived)).toEqual({ kind: 'rested' });
    expect(lived.cast.requestsOf('Work')).toHaveLength(2);
  });

  it('stands still while another one writes', async () => {
    const cast = new CastModel({
      go: [send(['generalist', 'Long'], ['generalist', 'Waits']), say('Done.')],
      Long: [ask(['write_file', { file_path: 'a', content: 'b' }]), report('1')],
      Waits: [ask(['write_file', { file_path: 'c', content: 'd' }]), report('2')],
    });
    const lived = makeWorld({ answers: [], agents: builtInAgents, provider: cast });
    onInside(lived, 'call.asked', reported => {
      lived.clock.pass(9 * minute);
      if (reported.type === 'call.asked')
        setImmediate(() => lived.session.decide(reported.callId, { kind: 'once' }));
    });
    await lived.session.send('go');
    expect([...lived.files.keys()]).toEqual(['a', 'c']);
  });
});
