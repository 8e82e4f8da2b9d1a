import { describe, expect, test } from 'vitest';
import { builtInAgents } from '../../src/extension/core/agents/builtInAgents.ts';
import { Inbox } from '../../src/extension/core/context/inbox/inbox.ts';
import type { SessionManager } from '../../src/extension/core/session/sessionManager.ts';
import { SessionInUseError, type SharedText } from '../../src/extension/platform/storage.ts';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { reduceAgent } from '../../src/protocol/fold/reduceAgents.ts';
import { openStatusOf } from '../../src/protocol/panel/sessions.ts';
import { ask, CastModel, report, say, send } from '../support/castModel.ts';
import { makeWorld, type WorldOptions } from '../support/conversation.ts';
import { GatedModel } from '../support/gatedModel.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { type ScriptedAnswer, ScriptedModel } from '../support/scriptedModel.ts';

const preview = { folders: ['/project'], model: 'preview-model', mode: 'plan' as const };
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A window, and what it remembers; `reloaded` is the same window after a reload. */
function makeWindow(answers: readonly ScriptedAnswer[], options: Omit<WorldOptions, 'answers'> = {}) {
  const world = makeWorld({ answers, ...options });
  const reported: string[] = [];
  let remembered: string | undefined;
  let agents = 0;
  const last = {
    read: () => remembered,
    write: (id: string | undefined) => {
      remembered = id;
    },
  };
  const agent = async (): Promise<SessionManager> => {
    agents++;
    return world.agent;
  };
  const make = () =>
    new ActiveSession(
      agent,
      last,
      () => preview,
      text => void reported.push(text),
      log,
    );
  return {
    session: make(),
    world,
    reported,
    reloaded: make,
    agents: () => agents,
    remembered: () => remembered,
    remember: last.write,
  };
}

class LoadedModel extends ScriptedModel {
  readonly loaded: string[] = [];

  async load(model: string): Promise<void> {
    this.loaded.push(model);
  }
}

const says = (text: string): ScriptedAnswer => ({ parts: [{ kind: 'text', text }] });

test('looking at the panel makes neither an agent nor a session', async () => {
  const { session, agents } = makeWindow([]);
  await session.restore();
  expect(session.state).toMatchObject({ ...preview, seq: 0 });
  expect(session.present).toBeUndefined();
  expect(agents()).toBe(0);
});

test('a new session is placed as its first prompt is sent, once, with the mode that was chosen', async () => {
  const { session } = makeWindow([says('One'), says('Two'), says('Three')]);
  let placed = 0;
  session.placeNew = async () => {
    if (session.state.title !== '' || (session.placedId && session.present?.id === session.placedId)) return;
    placed++;
    await session.moveTo(undefined);
  };
  await session.setMode('autoEdit');
  expect([placed, session.placedId]).toEqual([0, undefined]);
  await session.send('Hi', []);
  await session.send('Again', []);
  expect([placed, session.state.mode]).toEqual([1, 'autoEdit']);
  await session.startNew();
  // The user chose the place: nothing else is made of it.
  await session.moveTo(undefined);
  await session.send('Here', []);
  expect(placed).toBe(1);
});

test('while the first prompt is typed its session is made ahead, unseen, and the code of the model loaded', async () => {
  const provider = new LoadedModel([says('Hello')]);
  const { session, world, remembered } = makeWindow([], { provider });
  let switches = 0;
  session.onDidSwitch(() => switches++);
  await Promise.all([session.getReady(), session.getReady()]);
  expect(provider.loaded).toEqual(['scripted']);
  expect(provider.requests).toEqual([]);
  expect([session.present, session.opened.all, remembered(), switches]).toEqual([
    undefined,
    [],
    undefined,
    0,
  ]);
  expect([...world.store.journals.keys()]).toEqual([]);
  expect(await session.send('Hi', [])).toEqual({ kind: 'rested' });
  await session.getReady();
  expect(provider.loaded).toEqual(['scripted']);
});

test('a session that was made ahead of a change of settings is discarded', async () => {
  let model = 'first';
  const { agent } = makeWorld({
    answers: [],
    get model() {
      return model;
    },
  });
  await agent.getReady();
  model = 'second';
  expect(agent.newSession().state.model).toBe('second');
  await agent.getReady();
  const made = agent.newSession();
  expect(made.state.model).toBe('second');
  expect(agent.newSession().id).not.toBe(made.id);
});

test('what a prompt reads that was made ready while it was typed is as it is when it is sent', async () => {
  let text = 'as it was';
  const readPrompt = async () => {
    const read = text;
    return () => read;
  };
  const { session, world } = makeWindow([says('Hello')], { readPrompt });
  await session.getReady();
  text = 'as it is';
  await session.send('Hi', []);
  expect(world.model.requests[0]?.system).toBe('as it is');
});

test('a failure while the session gets ready is left to the prompt', async () => {
  const provider = new LoadedModel([says('Hello')]);
  provider.load = () => Promise.reject(new Error('A file is missing.'));
  const { session } = makeWindow([], { provider });
  await session.getReady();
  expect(await session.send('Hi', [])).toEqual({ kind: 'rested' });
});

test('a new session begins with the model that the user chose last', async () => {
  const { world } = makeWindow([]);
  let kept: string | undefined;
  const choice = {
    read: () => kept,
    keep: (model: string) => {
      kept = model;
    },
  };
  const session = new ActiveSession(
    async () => world.agent,
    { read: () => undefined, write: () => {} },
    () => preview,
    () => {},
    log,
    choice,
  );
  expect(session.state.model).toBe('preview-model');
  await session.setModel('chosen-model');
  await session.startNew();
  expect(session.state.model).toBe('chosen-model');
  expect((await session.open()).state.model).toBe('chosen-model');
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

test('what its subagents do is told of the shown session, which waits while one of them asks', async () => {
  const provider = new CastModel({
    go: [send(['generalist', 'Write']), say('Done.')],
    Write: [ask(['write_file', { file_path: 'a', content: 'b' }]), report('Written.')],
  });
  const { session } = makeWindow([], { agents: builtInAgents, provider });
  let folded = session.state;
  const waiting: string[] = [];
  session.onDidSwitch(() => {
    folded = session.state;
  });
  session.onEvent(event => {
    folded = reduce(folded, event);
  });
  session.onAgentEvent(reported => {
    folded = reduceAgent(folded, reported);
    const { event } = reported;
    if (event.type === 'call.asked')
      setImmediate(() => session.present!.decide(event.callId, { kind: 'once' }));
  });
  session.opened.onNews(({ kind }) => waiting.push(kind));
  expect(await session.send('go', [])).toEqual({ kind: 'rested' });
  expect(folded).toEqual(session.state);
  await expect.poll(() => waiting).toEqual(['waits', 'ended']);
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

test('starting a new session lets the one that works continue, and the next prompt is not part of it', async () => {
  const model = new GatedModel();
  const { session } = makeWindow([], { provider: model });
  const working = session.send('Hi', []);
  await model.untilAsked();
  const first = session.present;
  await session.startNew();
  expect(session.state).toMatchObject({ seq: 0, title: '' });
  expect(first?.busy).toBe(true);
  model.answer('Hello');
  expect(await working).toEqual({ kind: 'rested' });
  const second = session.send('Something else', []);
  await model.untilAsked();
  model.answer('Else');
  await second;
  expect(session.present?.id).not.toBe(first?.id);
  expect(session.state.title).toBe('Something else');
  expect(JSON.stringify(first?.state)).not.toContain('Something else');
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

test('a session that another window has open is not brought back, is not forgotten, and that is said', async () => {
  const { session, reloaded, world, reported, remembered } = makeWindow([says('Hello')]);
  await session.send('Hi', []);
  const id = session.present?.id;
  await session.close();
  const { reopenJournal } = world.store;
  world.store.reopenJournal = async () => {
    throw new SessionInUseError();
  };
  const next = reloaded();
  await next.restore();
  expect(next.present).toBeUndefined();
  expect(reported).toEqual([expect.stringContaining('open in another window')]);
  expect(remembered()).toBe(id);
  await expect(next.switchTo(id!)).rejects.toBeInstanceOf(SessionInUseError);
  world.store.reopenJournal = reopenJournal;
  await next.switchTo(id!);
  expect(next.state.title).toBe('Hi');
});

describe('sessions side by side', () => {
  const writes = {
    kind: 'call',
    id: 'c1',
    name: 'write_file',
    args: { file_path: 'a', content: 'x' },
  } as const;

  /** A window whose model answers when the test says so; `ask` begins a session with a prompt of its own. */
  function openWindow(options: Omit<WorldOptions, 'answers'> = {}) {
    const model = new GatedModel();
    const made = makeWindow([], { provider: model, ...options });
    const { session } = made;
    const ask = async (text: string) => {
      await session.startNew();
      const before = model.requests.length;
      const end = session.send(text, []);
      await expect.poll(() => model.requests.length).toBe(before + 1);
      return { id: session.present!.id, opened: session.present!, end };
    };
    const rest = async (text: string) => {
      const asked = await ask(text);
      model.answer(`About ${text}`);
      await asked.end;
      return asked;
    };
    return { ...made, model, ask, rest };
  }

  test('show what they did meanwhile when they are shown again, the very same one', async () => {
    const { session, model, ask } = openWindow();
    const first = await ask('First');
    const second = await ask('Second');
    model.answer('About first');
    model.answer('About second');
    await Promise.all([first.end, second.end]);
    expect(session.state.title).toBe('Second');
    const shown: string[] = [];
    session.onEvent(event => void shown.push(event.type));
    await session.switchTo(first.id);
    expect(session.present).toBe(first.opened);
    expect(JSON.stringify(session.state)).toContain('About first');
    second.opened.setMode('plan');
    expect(shown).toEqual([]);
    first.opened.setMode('plan');
    expect(shown).toEqual(['mode.changed']);
    await session.close();
  });

  test('report what their rows say, and nothing while an answer grows', async () => {
    const { session, model, ask } = openWindow();
    const first = await ask('First');
    const advances: string[] = [];
    const texts: string[] = [];
    session.opened.onDidAdvance(({ id }) => void advances.push(id));
    session.opened.onEvent(({ event }) => event.type === 'text.appended' && texts.push(event.text));
    model.say([
      ...Array.from({ length: 50 }, (_, at) => ({ kind: 'text', text: `Word ${at}. ` }) as const),
      { kind: 'call', id: 'topic', name: 'create_new_topic', args: { title: 'Reading', summary: 'Reads.' } },
    ]);
    await expect.poll(() => first.opened.state.chapters.at(-1)?.title).toBe('Reading');
    expect(texts.length).toBeGreaterThan(0);
    // The step's cost is not known here; the chapter is what is new.
    expect(advances).toEqual([first.id]);
    await session.close();
  });

  test('are told with title and status, without those in which nothing was asked', async () => {
    const { session, model, ask } = openWindow();
    const reported: string[] = [];
    session.opened.onDidChange(() => {
      reported.push(session.opened.asked.map(({ state }) => `${state.title} ${openStatusOf(state)}`).join());
    });
    const first = await ask('First');
    await session.startNew();
    await session.open();
    expect(session.opened.asked).toEqual([first.opened]);
    expect(reported.at(-1)).toBe('First working');
    model.call('write_file', writes.args);
    await expect.poll(() => reported.at(-1)).toBe('First waiting');
    first.opened.decide('call1', { kind: 'deny' });
    await model.untilAsked();
    expect(reported.at(-1)).toBe('First working');
    first.opened.rename('Mine');
    expect(reported.at(-1)).toBe('Mine working');
    model.answer('Done');
    await first.end;
    expect(reported.at(-1)).toBe('Mine resting');
    await session.close();
  });

  test('are news once for each wait and once when they rest, and not between two prompts', async () => {
    const { session, model, ask } = openWindow();
    const news: string[] = [];
    session.opened.onNews(each => void news.push(`${each.session.state.title} ${each.kind}`));
    const first = await ask('First');
    await session.startNew();
    first.opened.submitPrompt('And then', [], 'next');
    model.call('write_file', writes.args);
    await expect.poll(() => news).toEqual(['First waits']);
    first.opened.rename('Mine');
    first.opened.decide('call1', { kind: 'deny' });
    await model.untilAsked();
    model.answer('Done');
    await model.untilAsked();
    expect(news).toEqual(['First waits']);
    model.answer('Really done');
    await expect.poll(() => news).toEqual(['First waits', 'Mine ended']);
    await session.close();
  });

  test('stay in memory while they rest, but for a few, and none of those that work is closed', async () => {
    const { session, model, ask, rest, world } = openWindow();
    const waiting = await ask('Waiting');
    model.call('write_file', writes.args);
    await expect.poll(() => openStatusOf(waiting.opened.state)).toBe('waiting');
    const resting: Awaited<ReturnType<typeof rest>>[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) resting.push(await rest(name));
    const isOpen = () => [waiting, ...resting].map(({ id }) => session.opened.find(id) !== undefined);
    await expect.poll(isOpen).toEqual([true, false, false, true, true, true, true]);
    await session.switchTo(resting[0]!.id);
    expect(session.present).not.toBe(resting[0]!.opened);
    expect(session.state.title).toBe('a');
    expect(world.store.journals.get(resting[0]!.id)?.at(-1)).toContain('turn.ended');
    waiting.opened.decide('call1', { kind: 'deny' });
    await model.untilAsked();
    model.answer('Done');
    expect(await waiting.end).toEqual({ kind: 'rested' });
    await session.close();
  });

  test('all end with the window, which leaves them on the disk as interrupted', async () => {
    const { session, reloaded, ask } = openWindow();
    const first = await ask('First');
    const second = await ask('Second');
    await session.close();
    expect(await Promise.all([first.end, second.end])).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
    const next = reloaded();
    await next.restore();
    expect(next.state.title).toBe('Second');
    await next.switchTo(first.id);
    expect(next.state).toMatchObject({ title: 'First', activity: { status: 'resting' } });
    expect(JSON.stringify(next.state)).toContain('stopped');
    await next.close();
  });

  test('one that is closed is stopped and not shown any more, and can be opened again at once', async () => {
    const { session, ask, remembered } = openWindow();
    const first = await ask('First');
    const closing = session.closeSession(first.id);
    const opening = session.switchTo(first.id);
    await closing;
    expect(await first.end).toEqual({ kind: 'stopped' });
    await opening;
    expect(session.present?.id).toBe(first.id);
    expect(session.present).not.toBe(first.opened);
    await session.closeSession(first.id);
    expect([session.present, remembered()]).toEqual([undefined, undefined]);
    await session.close();
  });

  test('a prompt goes to the session that it was written in, also when another is shown by then', async () => {
    const { session, model, rest } = openWindow();
    const first = await rest('First');
    const second = await rest('Second');
    await session.switchTo(first.id);
    const sent = session.send('More', []);
    await model.untilAsked();
    await session.switchTo(second.id);
    model.answer('Sure');
    await sent;
    expect(JSON.stringify(first.opened.state)).toContain('Sure');
    expect(JSON.stringify(second.opened.state)).not.toContain('Sure');
    await session.close();
  });
});

describe('a session that is left', () => {
  const reads = { kind: 'call', name: 'read_file', args: { file_path: 'a' } } as const;
  const fourCalls = (from: number): ScriptedAnswer => ({
    parts: [1, 2, 3, 4].map(at => ({ ...reads, id: `call ${from + at}` })),
  });
  const worked = [fourCalls(0), says('One.'), fourCalls(4), says('Two.'), says('Three.')];
  const proposal: ScriptedAnswer = says(
    JSON.stringify({
      facts: [{ kind: 'correction', fact: 'Use tabs.', evidence: [{ at: 'P2', quote: 'use tabs' }] }],
      skills: [],
    }),
  );

  function makeInbox() {
    let text: string | undefined;
    const file: SharedText = {
      path: '/inbox.json',
      read: async () => text,
      change: async turn => {
        text = turn(text) ?? text;
      },
    };
    const place = () => ({ home: '/home', names: [], folders: ['/project'], extra: [], trusted: true });
    const inbox = new Inbox({ file, files: new MemoryFileSystem(), place });
    const memory = { blocks: [], problems: [], loaded: new Set<string>(), whole: new Map<string, string>() };
    return { inbox, isOn: () => true, readMemory: async () => memory, skills: () => [] };
  }

  async function work(answer: ScriptedAnswer) {
    const place = makeInbox();
    const files = { a: 'text' };
    const window = makeWindow([...worked, answer], { inbox: place, files });
    for (const prompt of ['Begin', 'No, use tabs', 'Thanks']) await window.session.send(prompt, []);
    return { ...window, inbox: place.inbox };
  }

  test('is looked at once, at its own cost, and waits with what it proposes', async () => {
    const { session, world, inbox } = await work(proposal);
    const left = session.present!;
    expect(world.model.requests).toHaveLength(5);
    await session.startNew();
    await expect
      .poll(() => inbox.list())
      .toMatchObject([{ number: 1, text: 'Use tabs.', evidence: [{ source: 'prompt', number: 2 }] }]);
    await session.switchTo(left.id);
    await session.startNew();
    expect(await left.reviewSessions()).toBe(0);
    expect(world.model.requests).toHaveLength(6);
  });

  test('can be closed while it is looked at, and is looked at the next time', async () => {
    const { session, inbox } = await work({ hang: true });
    const left = session.present!;
    await session.startNew();
    await session.opened.close(left.id, 'other');
    expect(await inbox.read()).toMatchObject({ entries: [], seen: {} });
  });
});
