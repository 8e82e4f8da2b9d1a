import { expect, test } from 'vitest';
import { Excerpt } from '../../src/extension/vscode/panel/excerpt.ts';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../src/extension/vscode/panel/shownSession.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';
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
    feed.changed();
  };
  const nextPost = () => new Promise<void>(resolve => heard.push(resolve));
  return { feed, posted, grow, nextPost, types: () => posted.map(message => message.type) };
}

test('a page that is not there gets nothing, and the whole state once it is', () => {
  const { feed, posted, grow } = makePage();
  grow('unseen');
  expect(posted).toEqual([]);
  feed.attach(state => new ShownSession(state));
  expect(posted).toMatchObject([{ type: 'session.shown', state: { chapters: [{ items: { length: 1 } }] } }]);
  feed.dispose();
});

test('what changes comes automatically, in one bundle', async () => {
  const { feed, posted, grow, nextPost } = makePage();
  feed.attach(state => new ShownSession(state));
  const next = nextPost();
  for (const text of ['a', 'b', 'c']) grow(text);
  await next;
  expect(posted[1]).toMatchObject({
    type: 'session.changed',
    patches: [
      { kind: 'set', value: 1 },
      { kind: 'list', come: [[{ text: 'abc' }]] },
    ],
  });
  feed.dispose();
});

test('a session that is shown again comes as what has changed of it', () => {
  const { feed, grow, types } = makePage();
  feed.attach(state => new ShownSession(state));
  grow('a');
  feed.update();
  feed.notify({ type: 'composer.focused' });
  expect(types()).toEqual(['session.shown', 'session.changed', 'composer.focused']);
  feed.dispose();
});

test('a fact does not overtake the events before it', () => {
  const { feed, grow, types } = makePage();
  feed.attach(state => new ShownSession(state));
  grow('a');
  feed.notify({ type: 'composer.focused' });
  expect(types()).toEqual(['session.shown', 'session.changed', 'composer.focused']);
  feed.dispose();
});

test('what a user asked for waits for the page, also across a page that went away', () => {
  const { feed, types } = makePage();
  feed.deliver({ type: 'composer.focused' });
  feed.notify({ type: 'view.shown', view: 'outline' });
  feed.attach(state => new ShownSession(state));
  expect(types()).toEqual(['session.shown', 'composer.focused']);
  feed.detach();
  feed.deliver({ type: 'view.shown', view: 'history' });
  feed.attach(state => new ShownSession(state));
  expect(types().slice(2)).toEqual(['session.shown', 'view.shown']);
  feed.dispose();
});

test('the messages that a compression keeps stay with the host', () => {
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
      comments: [],
    },
  };
  const page = new Excerpt(state).of(state);
  expect(page).toMatchObject({ compression: { plan: { snapshot: 'short' } } });
  expect(JSON.stringify(page)).not.toContain('word for word');
});

test('a page that starts again shows another object, and one that is hidden none', () => {
  const { feed, grow } = makePage();
  expect(feed.showing).toBeUndefined();
  feed.attach(state => new ShownSession(state));
  const first = feed.showing;
  grow('a');
  feed.update();
  expect(feed.showing).toBe(first);
  feed.attach(state => new ShownSession(state));
  expect(feed.showing).not.toBe(first);
  feed.detach();
  expect(feed.showing).toBeUndefined();
  feed.dispose();
});
