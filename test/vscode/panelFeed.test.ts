import { expect, test } from 'vitest';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import type { ToWebview } from '../../src/protocol/messages.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';

/** A session that grows by pieces of text, and a page that notes what it is told. */
function makePage() {
  const posted: ToWebview[] = [];
  const heard: (() => void)[] = [];
  let state = emptySession;
  const feed = new PanelFeed(
    message => {
      posted.push(message);
      for (const wake of heard.splice(0)) wake();
    },
    () => state,
  );
  const grow = (text: string) => {
    const event: SessionEvent = { type: 'text.appended', stepId: 'a', text, seq: state.seq + 1, at: 1 };
    state = reduce(state, event);
    feed.add(event);
  };
  const nextPost = () => new Promise<void>(resolve => heard.push(resolve));
  return { feed, posted, grow, nextPost, types: () => posted.map(message => message.type) };
}

test('a page that is not there gets nothing, and the whole state once it is', () => {
  const { feed, posted, grow } = makePage();
  grow('unseen');
  expect(posted).toEqual([]);
  feed.attach();
  expect(posted).toMatchObject([{ type: 'session.snapshot', state: { seq: 1 } }]);
  feed.dispose();
});

test('events come by themselves, in one bundle and in order', async () => {
  const { feed, posted, grow, nextPost } = makePage();
  feed.attach();
  const next = nextPost();
  for (const text of ['a', 'b', 'c']) grow(text);
  await next;
  expect(posted[1]).toMatchObject({
    type: 'session.events',
    events: [{ text: 'a' }, { text: 'bc', seq: 3 }],
  });
  feed.dispose();
});

test('what happens to a subagent comes in messages of its own, in order and cut like any other', () => {
  const { feed, posted, grow } = makePage();
  feed.attach();
  grow('a');
  const detail = { kind: 'text', text: 'line\n'.repeat(5_000) } as const;
  const event: SessionEvent = {
    type: 'call.ended',
    callId: 'i',
    outcome: 'ok',
    display: { summary: 'done', detail },
    durationMs: 1,
    seq: 2,
    at: 1,
  };
  feed.addAgent({ callId: 'o', agent: 'scout', event });
  feed.addAgent({ callId: 'other', agent: 'scout', event: { ...event, seq: 3 } });
  feed.tell({ type: 'composer.focused' });
  const cut = { display: { detail: { cutLines: expect.any(Number) } } };
  expect(posted.slice(1)).toMatchObject([
    { type: 'session.events', events: [{ text: 'a' }] },
    { type: 'agent.events', callId: 'o', agent: 'scout', events: [{ type: 'call.ended', seq: 2, ...cut }] },
    { type: 'agent.events', callId: 'other', events: [{ seq: 3 }] },
    { type: 'composer.focused' },
  ]);
  feed.dispose();
});

test('a snapshot takes the place of events that were on their way', () => {
  const { feed, posted, grow, types } = makePage();
  feed.attach();
  grow('a');
  feed.snapshot();
  feed.tell({ type: 'composer.focused' });
  expect(types()).toEqual(['session.snapshot', 'session.snapshot', 'composer.focused']);
  expect(posted[1]).toMatchObject({ state: { seq: 1 } });
  feed.dispose();
});

test('a fact does not overtake the events before it', () => {
  const { feed, grow, types } = makePage();
  feed.attach();
  grow('a');
  feed.tell({ type: 'composer.focused' });
  expect(types()).toEqual(['session.snapshot', 'session.events', 'composer.focused']);
  feed.dispose();
});

test('what a person asked for waits for the page, also across a page that went away', () => {
  const { feed, types } = makePage();
  feed.deliver({ type: 'composer.focused' });
  feed.tell({ type: 'view.shown', view: 'outline' });
  feed.attach();
  expect(types()).toEqual(['session.snapshot', 'composer.focused']);
  feed.detach();
  feed.deliver({ type: 'view.shown', view: 'history' });
  feed.attach();
  expect(types().slice(2)).toEqual(['session.snapshot', 'view.shown']);
  feed.dispose();
});

test('the messages that a compression keeps stay with the host', async () => {
  const said = { role: 'user', parts: [{ kind: 'text', text: 'kept word for word' }] } as const;
  const plan = {
    snapshot: 'short',
    replacement: [said],
    keptFrom: 4,
    cut: [{ index: 5, message: said }],
    parts: [],
    tokens: { before: 9, after: 1 },
  };
  const known = { id: 'old', trigger: 'automatic', plan } as const;
  const state: SessionState = {
    ...emptySession,
    compression: { status: 'proposed', id: 'new', trigger: 'manual', plan },
    compressions: [known],
    rewound: {
      rewindId: 'r',
      to: { kind: 'turn', turnId: 't' },
      scope: 'conversation',
      files: [],
      chapters: [],
      todos: [],
      contextTokens: 0,
      compressions: [known],
    },
  };
  const posted: ToWebview[] = [];
  const next = new Promise<void>(resolve => {
    const feed = new PanelFeed(
      message => {
        posted.push(message);
        if (message.type === 'session.events') resolve(feed.dispose());
      },
      () => state,
    );
    feed.attach();
    feed.add({ type: 'compression.proposed', compressionId: 'new', plan, seq: 1, at: 1 });
    feed.add({ type: 'compression.applied', compressionId: 'new', trigger: 'manual', plan, seq: 2, at: 1 });
  });
  await next;
  expect(posted).toMatchObject([
    { state: { compression: { plan: { snapshot: 'short' } } } },
    { events: [{ plan: { keptFrom: 4 } }, {}] },
  ]);
  expect(JSON.stringify(posted)).not.toContain('word for word');
});
