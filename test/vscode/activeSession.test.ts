import { expect, test } from 'vitest';
import type { Agent } from '../../src/extension/core/agent.ts';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { reduce } from '../../src/protocol/reduce.ts';
import { makeWorld } from '../support/conversation.ts';
import type { ScriptedAnswer } from '../support/scriptedModel.ts';

const preview = { folders: ['/project'], model: 'preview-model', mode: 'plan' as const };
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A window, and what it remembers; `reloaded` is the same window after a reload. */
function makeWindow(answers: readonly ScriptedAnswer[]) {
  const world = makeWorld({ answers });
  let remembered: string | undefined;
  let agents = 0;
  const last = {
    read: () => remembered,
    write: (id: string | undefined) => {
      remembered = id;
    },
  };
  const agent = async (): Promise<Agent> => {
    agents++;
    return world.agent;
  };
  const make = () => new ActiveSession({ agent, last, log, preview: () => preview });
  return {
    session: make(),
    reloaded: make,
    agents: () => agents,
    remembered: () => remembered,
    remember: last.write,
  };
}

const says = (text: string): ScriptedAnswer => ({ parts: [{ kind: 'text', text }] });

test('looking at the panel makes neither an agent nor a session', async () => {
  const { session, agents } = makeWindow([]);
  await session.restore();
  expect(session.state).toMatchObject({ ...preview, seq: 0 });
  expect(session.present).toBeUndefined();
  expect(agents()).toBe(0);
});

test('the first prompt makes the session, and its events lead from the snapshot to the state', async () => {
  const { session, remembered } = makeWindow([says('Hello')]);
  let folded = session.state;
  session.onDidSwitch(() => {
    folded = session.state;
  });
  session.onEvent(event => {
    folded = reduce(folded, event);
  });
  expect(await session.send('Hi', [])).toEqual({ kind: 'rested' });
  expect(folded).toEqual(session.state);
  expect(remembered()).toBe(session.present?.id);
});

test('after a reload the session is there again', async () => {
  const { session, reloaded } = makeWindow([says('Hello'), says('Again')]);
  await session.send('Hi', []);
  const { title, sessionId } = session.state;
  await session.close();
  const next = reloaded();
  await next.restore();
  expect(next.state).toMatchObject({ title, sessionId, activity: { status: 'resting' } });
  expect(await next.send('And now?', [])).toEqual({ kind: 'rested' });
  expect(next.state.sessionId).toBe(sessionId);
});

test('a remembered session that is gone gives way to a new one', async () => {
  const { session, remember, remembered } = makeWindow([says('Hello')]);
  remember('no-such-session');
  await session.restore();
  expect(remembered()).toBeUndefined();
  expect(await session.send('Hi', [])).toEqual({ kind: 'rested' });
});

test('starting a new session stops the one that works, and the next prompt is not part of it', async () => {
  const { session } = makeWindow([{ hang: true, partial: 'Let me' }, says('Hello')]);
  const hanging = session.send('Hi', []);
  const streaming = new Promise<void>(resolve =>
    session.onEvent(event => event.type === 'text.appended' && resolve()),
  );
  await streaming;
  expect(session.isBusy).toBe(true);
  const before = session.present?.id;
  await session.startNew();
  expect(await hanging).toEqual({ kind: 'stopped' });
  expect(session.state).toMatchObject({ seq: 0, title: '' });
  await session.send('Something else', []);
  expect(session.present?.id).not.toBe(before);
  expect(session.state.title).toBe('Something else');
});

test('opening a session that does not exist leaves the open one alone', async () => {
  const { session } = makeWindow([says('Hello')]);
  await session.send('Hi', []);
  const { sessionId } = session.state;
  await expect(session.switchTo('no-such-session')).rejects.toThrow();
  expect(session.state.sessionId).toBe(sessionId);
});

test('many who ask at once get one session', async () => {
  const { session } = makeWindow([]);
  const opened = await Promise.all([session.open(), session.open(), session.open()]);
  expect(new Set(opened).size).toBe(1);
});
