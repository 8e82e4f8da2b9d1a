import { describe, expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../../src/extension/core/session/session.ts';
import { type OtherWindowsWork, SessionSlots } from '../../../src/extension/core/session/sessionSlots.ts';
import { ask, report, say, send } from '../../support/castModel.ts';
import { castWorld } from '../../support/castWorld.ts';
import { makeWorld } from '../../support/conversation.ts';
import { GatedModel } from '../../support/gatedModel.ts';

/** Other windows, at work in so many sessions. */
class Others implements OtherWindowsWork {
  working = 0;
  reported = 0;
  private readonly listeners = new Set<() => void>();

  count(): number {
    return this.working;
  }

  report(working: number): void {
    this.reported = working;
  }

  watch(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  become(working: number): void {
    this.working = working;
    for (const listener of [...this.listeners]) listener();
  }

  get isWatched(): boolean {
    return this.listeners.size > 0;
  }
}

function stage(max: number) {
  const gate = new GatedModel();
  const others = new Others();
  const slots = new SessionSlots(() => max, others);
  const world = makeWorld({ answers: [], provider: gate, slots });
  const sessions = [world.session, world.agent.newSession(), world.agent.newSession()] as const;
  onTestFinished(async () => {
    await Promise.all(sessions.map(each => each.dispose()));
  });
  return { gate, others, sessions, agent: world.agent };
}

const submit = (session: Session, text: string) => session.submitPrompt(text, [], 'next');
const lineOf = ({ state }: Session) => state.queue.map(({ text, ahead }) => `${text} ${ahead}`);

describe('a limit of sessions that work at once', () => {
  it('has a prompt wait in line, which says its place, until a place is free', async () => {
    const { gate, others, sessions } = stage(1);
    const [one, two, three] = sessions;
    const first = submit(one, 'one');
    await gate.untilAsked();
    expect(await submit(two, 'two')).toBeUndefined();
    await submit(three, 'three');
    expect([lineOf(two), lineOf(three)]).toEqual([['two 0'], ['three 1']]);
    expect(others.reported).toBe(1);
    gate.answer('Done.');
    expect(await first).toEqual({ kind: 'rested' });
    await gate.untilAsked();
    expect([two.busy, lineOf(two), lineOf(three)]).toEqual([true, [], ['three 0']]);
    await two.stop();
    await gate.untilAsked();
    expect(three.busy).toBe(true);
    expect(others.isWatched).toBe(false);
  });

  it('lets the user start one now, change it and take it back', async () => {
    const { gate, sessions } = stage(1);
    const [one, two, three] = sessions;
    void submit(one, 'one');
    await gate.untilAsked();
    await submit(two, 'two');
    await submit(three, 'three');
    two.queue.change({ ...two.state.queue[0]!, text: 'other' });
    expect(lineOf(two)).toEqual(['other 0']);
    void three.sendQueuedNow(three.state.queue[0]!.id);
    await gate.untilAsked();
    expect(three.busy).toBe(true);
    two.queue.remove(two.state.queue[0]!.id);
    await Promise.all([one.stop(), three.stop()]);
    expect(two.busy).toBe(false);
  });

  it('counts sessions of other windows, and begins once they rest', async () => {
    const { gate, others, sessions } = stage(2);
    others.become(2);
    await submit(sessions[0], 'one');
    expect(lineOf(sessions[0])).toEqual(['one 0']);
    others.become(1);
    await gate.untilAsked();
    expect(sessions[0].busy).toBe(true);
    expect(others.isWatched).toBe(false);
  });

  it('forgets a session that was closed, whose prompt stays for the user', async () => {
    const { gate, sessions, agent } = stage(1);
    const [one, two, three] = sessions;
    void submit(one, 'one');
    await gate.untilAsked();
    await submit(two, 'two');
    await submit(three, 'three');
    await two.dispose();
    await one.stop();
    await gate.untilAsked();
    expect(three.busy).toBe(true);
    const again = await agent.openSession(two.id);
    onTestFinished(() => again.dispose());
    expect(lineOf(again)).toEqual(['two undefined']);
  });

  it('gives its place up while a subagent asks, and takes it again with the answer', async () => {
    const others = new Others();
    const { session } = castWorld(
      {
        go: [send(['generalist', 'Write it']), say('Done.')],
        'Write it': [ask(['write_file', { file_path: 'a.txt', content: 'a' }]), report('Written.')],
      },
      { slots: new SessionSlots(() => 1, others) },
    );
    const seen: number[] = [];
    session.onAgentEvent(({ event }) => {
      if (event.type === 'call.asked') setImmediate(() => session.decide(event.callId, { kind: 'once' }));
      if (event.type === 'call.asked' || event.type === 'call.decided') seen.push(others.reported);
    });
    await session.send('go');
    expect(seen).toEqual([0, 1]);
  });

  it('is none at 0', async () => {
    const { sessions, gate, others } = stage(0);
    others.become(9);
    for (const each of sessions) void submit(each, 'go');
    await gate.untilAsked();
    expect(sessions.map(({ busy }) => busy)).toEqual([true, true, true]);
    expect(others.reported).toBe(0);
  });
});
