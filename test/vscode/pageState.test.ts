import { expect, test } from 'vitest';
import { type PageBounds, stateForPage } from '../../src/extension/vscode/panel/forPage.ts';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import type { RewindPoint } from '../../src/protocol/changes.ts';
import type { CompressionPlan } from '../../src/protocol/compression.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { isOfAgent } from '../../src/protocol/fold/agents.ts';
import { loadChapter } from '../../src/protocol/fold/loadChapter.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { reduceAgent, reduceTold } from '../../src/protocol/fold/reduceAgents.ts';
import type { ToWebview } from '../../src/protocol/messages.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { keepSame } from '../../src/webview/keepSame.ts';
import { dose } from '../support/dose.ts';
import { fc } from '../support/properties.ts';
import { numbered, type ToldBody } from '../support/told.ts';

/** A host that works and a page that knows only what it is told, and does with it what the panel's page does. */
class Panel {
  host: SessionState = { ...emptySession, sessionId: 's' };
  page: SessionState = emptySession;
  snapshots = 0;
  readonly feed: PanelFeed;

  constructor(bounds?: PageBounds) {
    this.feed = new PanelFeed(
      message => this.receive(message),
      () => this.host,
      bounds,
    );
    this.feed.attach();
  }

  emit(body: ToldBody): void {
    const told = numbered(body, this.host.seq + 1, 1000 + this.host.seq);
    this.host = reduceTold(this.host, told);
    if (isOfAgent(told)) this.feed.addAgent(told);
    else this.feed.add(told);
  }

  /** What is on its way has arrived. */
  settle(): void {
    this.feed.tell({ type: 'composer.focused' });
  }

  /** Another page takes the place of this one. */
  reload(): void {
    this.feed.detach();
    this.page = emptySession;
    this.feed.attach();
  }

  private receive(message: ToWebview): void {
    if (message.type === 'session.events') this.page = message.events.reduce(reduce, this.page);
    if (message.type === 'agent.events')
      for (const event of message.events) this.page = reduceAgent(this.page, { ...message, event });
    if (message.type === 'chapter.loaded')
      this.page = loadChapter(this.page, message.chapterId, structuredClone(message.items));
    if (message.type !== 'session.snapshot') return;
    this.snapshots++;
    this.page = keepSame(this.page, structuredClone(message.state));
  }
}

/** What the page has, and what it should have: the host's state without the items that it did not ask for. */
function expectSame({ page, host }: Panel): void {
  const shown = new Set(page.chapters.flatMap(({ id, unloaded }) => (unloaded === undefined ? [id] : [])));
  const nothingMore = { items: 0, size: 0 };
  expect(stateForPage(page, shown, nothingMore)).toEqual(stateForPage(host, shown, nothingMore));
}

const usage = { prompt: 10, cached: 1, output: 2, thoughts: 0 };
const plan: CompressionPlan = {
  snapshot: 'short',
  replacement: [{ role: 'user', parts: [] }],
  keptFrom: 0,
  cut: [],
  parts: [],
  tokens: { before: 90, after: 10 },
};

type Action =
  | {
      readonly kind: 'events';
      readonly of: (host: SessionState, number: number) => readonly ToldBody[];
    }
  | { readonly kind: 'load'; readonly at: number }
  | { readonly kind: 'settle' | 'reload' };

/** Something of the session that exists, chosen by a number. */
function pick<T>(list: readonly T[], at: number): T | undefined {
  return list.length > 0 ? list[at % list.length] : undefined;
}

function idsOf(host: SessionState, type: string): readonly string[] {
  const items = host.chapters.flatMap(chapter => chapter.items.pages.flat());
  return items.flatMap(item => (item.type === type ? [item.id] : []));
}

const events = (
  of: (host: SessionState, number: number, choice: number) => readonly (ToldBody | undefined)[],
): fc.Arbitrary<Action> =>
  fc.nat(1000).map(choice => ({
    kind: 'events',
    of: (host, number) => of(host, number, choice).filter(each => each !== undefined),
  }));

function agentStep(callId: string | undefined, number: number): readonly ToldBody[] {
  if (callId === undefined) return [];
  const stepId = `a${number}`;
  const bodies: readonly SessionEventBody[] = [
    { type: 'step.started', stepId, number: 1, model: 'm' },
    { type: 'text.appended', stepId, text: 'So ' },
    { type: 'text.appended', stepId, text: 'be it' },
    { type: 'step.ended', stepId, usage, cost: 0.5, finish: 'STOP', citations: [] },
  ];
  return bodies.map(event => ({ callId, agent: 'scout', event }));
}

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: events((_, n) => [
      { type: 'turn.started', turnId: `t${n}`, text: 'Go on', attachments: [image] },
    ]),
  },
  {
    weight: 4,
    arbitrary: events((_, n) => [{ type: 'chapter.started', chapterId: `c${n}`, title: `C${n}` }]),
  },
  {
    weight: 6,
    arbitrary: events((_, n, choice) => [
      { type: 'step.started', stepId: `s${n}`, number: 1, model: 'm' },
      { type: 'thought.appended', stepId: `s${n}`, text: 'Hm' },
      { type: 'text.appended', stepId: `s${n}`, text: 'So ' },
      { type: 'text.appended', stepId: `s${n}`, text: 'be it' },
      ...(choice % 2 ? [request(`k${n}`)] : []),
      { type: 'step.ended', stepId: `s${n}`, usage, cost: 0.5, finish: 'STOP', citations: [] },
    ]),
  },
  // Also of calls far back, that the page may not have.
  { weight: 3, arbitrary: events((host, _, at) => [endOf(pick(idsOf(host, 'call'), at))]) },
  // Also where the page does not have the call that sent the agent out.
  { weight: 3, arbitrary: events((host, n, at) => agentStep(pick(idsOf(host, 'call'), at), n)) },
  { weight: 2, arbitrary: events((_, n) => [request(`k${n}`), startHook(`h${n}`)]) },
  { weight: 2, arbitrary: events((host, _, at) => [endHook(pick(idsOf(host, 'hook'), at))]) },
  { weight: 3, arbitrary: events((host, _, choice) => [endTurn(host, choice)]) },
  { weight: 1, arbitrary: events(host => [retry(host)]) },
  { weight: 2, arbitrary: events((host, n, at) => [rewind(host, n, at)]) },
  {
    weight: 1,
    arbitrary: events(host =>
      host.rewound ? [{ type: 'rewind.undone', rewindId: host.rewound.rewindId, files: [] }] : [],
    ),
  },
  {
    weight: 1,
    arbitrary: events((_, n) => [
      { type: 'compression.applied', compressionId: `x${n}`, trigger: 'manual', plan },
    ]),
  },
  {
    weight: 1,
    arbitrary: events((host, _, at) => {
      const compressionId = pick(host.compressions, at)?.id;
      return compressionId === undefined ? [] : [{ type: 'compression.undone', compressionId }];
    }),
  },
  { weight: 4, arbitrary: fc.nat(1000).map((at): Action => ({ kind: 'load', at })) },
  { weight: 3, arbitrary: fc.constant<Action>({ kind: 'settle' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: 'reload' }) },
);

const image = { kind: 'image', name: 'a.png', blob: { mimeType: 'image/png', data: 'AAEC' } } as const;

function request(callId: string): SessionEventBody {
  const call = { tool: 'grep_search', effect: 'read', title: 'Search', args: {} } as const;
  return { type: 'call.requested', callId, stepId: 's', ...call };
}

function endOf(callId: string | undefined): SessionEventBody | undefined {
  if (callId === undefined) return undefined;
  const detail = { kind: 'text', text: 'a long line '.repeat(700) } as const;
  return { type: 'call.ended', callId, outcome: 'ok', display: { summary: 'done', detail }, durationMs: 1 };
}

function startHook(runId: string): SessionEventBody {
  return { type: 'hook.started', runId, event: 'BeforeTool', name: 'lint' };
}

function endHook(runId: string | undefined): SessionEventBody | undefined {
  if (runId === undefined) return undefined;
  return { type: 'hook.ended', runId, outcome: 'passed', summary: 'fine', output: '', durationMs: 1 };
}

function endTurn({ activity }: SessionState, choice: number): SessionEventBody | undefined {
  if (activity.status === 'resting') return undefined;
  const { turnId } = activity;
  return { type: 'turn.ended', turnId, end: choice % 2 ? { kind: 'rested' } : { kind: 'stopped' } };
}

function retry(host: SessionState): SessionEventBody | undefined {
  const turnId = idsOf(host, 'prompt').at(-1);
  return turnId === undefined || host.activity.status !== 'resting'
    ? undefined
    : { type: 'turn.retried', turnId };
}

function rewind(host: SessionState, number: number, at: number): SessionEventBody | undefined {
  const points: RewindPoint[] = [
    ...idsOf(host, 'prompt').map((turnId): RewindPoint => ({ kind: 'turn', turnId })),
    ...host.chapters.slice(1).map(({ id }): RewindPoint => ({ kind: 'chapter', chapterId: id })),
  ];
  const to = pick(points, at);
  if (!to || host.activity.status !== 'resting') return undefined;
  const scope = (['both', 'conversation', 'files'] as const)[at % 3]!;
  const kept = { filesFrom: 0, keptMessages: 0, todos: [], reviews: [], files: [] };
  return { type: 'session.rewound', rewindId: `r${number}`, to, scope, ...kept };
}

function play(panel: Panel, actions: readonly Action[]): void {
  for (const [number, each] of actions.entries()) {
    if (each.kind === 'events') for (const body of each.of(panel.host, number)) panel.emit(body);
    if (each.kind === 'load') panel.feed.load(pick(panel.host.chapters, each.at)?.id ?? '');
    if (each.kind === 'settle') panel.settle();
    if (each.kind === 'reload') panel.reload();
  }
  panel.settle();
}

test('whatever happens and whatever is asked for, the page has the state of the host but for what it did not ask for', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), fc.nat(6), (actions, items) => {
      const panel = new Panel({ items, size: 400 });
      play(panel, actions);
      expectSame(panel);
      panel.feed.dispose();
    }),
    { numRuns: dose({ test: 400, prove: 10_000 }) },
  );
});

test('a page that has everything has the state of the host, only without what it never shows', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), actions => {
      const panel = new Panel();
      play(panel, actions);
      for (const { id } of panel.host.chapters) panel.feed.load(id);
      panel.settle();
      expect(panel.page.chapters.map(({ items }) => items.length)).toEqual(
        panel.host.chapters.map(({ items }) => items.length),
      );
      expectSame(panel);
      panel.feed.dispose();
    }),
    { numRuns: dose({ test: 150, prove: 4000 }) },
  );
});

/** Chapters of three items each; the first begins with a prompt, and the turn goes on. */
function longTurn(panel: Panel, chapters: number): void {
  panel.emit({ type: 'turn.started', turnId: 't', text: 'Everything', attachments: [] });
  for (let chapter = 0; chapter < chapters; chapter++) {
    panel.emit({ type: 'chapter.started', chapterId: `c${chapter}`, title: `Part ${chapter}` });
    for (const part of ['a', 'b', 'c']) {
      const stepId = `${chapter}${part}`;
      panel.emit({ type: 'text.appended', stepId, text: 'Done.' });
      panel.emit({ type: 'step.ended', stepId, usage, finish: 'STOP', citations: [] });
    }
  }
}

test('the newest chapters come whole, older ones with their facts and the number of what was left out', () => {
  const panel = new Panel({ items: 8, size: 1000 });
  longTurn(panel, 6);
  panel.emit({ type: 'turn.ended', turnId: 't', end: { kind: 'stopped' } });
  panel.reload();
  const { chapters } = panel.page;
  expect(chapters.map(({ items, unloaded }) => `${items.length} ${unloaded}`)).toEqual([
    '0 1',
    '0 3',
    '0 3',
    '0 3',
    '0 3',
    '3 undefined',
    '4 undefined',
  ]);
  expect(chapters[1]).toMatchObject({ title: 'Part 0', usage: { prompt: 30 } });
  panel.feed.dispose();
});

test('what a turn took reaches its prompt although chapters between are not there', () => {
  const panel = new Panel({ items: 3, size: 1000 });
  longTurn(panel, 4);
  panel.reload();
  panel.feed.load('opening');
  expect(panel.page.chapters.map(({ unloaded }) => unloaded)).toEqual([undefined, 3, 3, 3, undefined]);
  panel.emit({ type: 'turn.ended', turnId: 't', end: { kind: 'rested' } });
  panel.settle();
  expect(panel.page.chapters[0]!.items.pages[0]![0]).toMatchObject({ id: 't', spent: { steps: 12 } });
  expectSame(panel);
  panel.feed.dispose();
});

test('a page never takes an older prompt for the one whose turn ended', () => {
  const panel = new Panel();
  panel.emit({ type: 'turn.started', turnId: 'old', text: 'Before', attachments: [] });
  panel.emit({ type: 'turn.ended', turnId: 'old', end: { kind: 'rested' } });
  longTurn(panel, 2);
  const state = stateForPage(panel.host, new Set(['opening']), { items: 0, size: 0 });
  const hidden = { ...state, chapters: state.chapters.with(1, { ...state.chapters[1]!, unloaded: 3 }) };
  const end = { type: 'turn.ended', turnId: 't', end: { kind: 'rested' } } as const;
  const ended = reduce(hidden, { ...end, seq: state.seq + 1, at: 2000 });
  expect(ended.chapters[0]).toEqual(hidden.chapters[0]);
  expect(ended.spending).toBeUndefined();
  panel.feed.dispose();
});

test('chapters that the page has asked for stay through a rewind and its undoing', () => {
  const panel = new Panel({ items: 3, size: 1000 });
  longTurn(panel, 5);
  panel.emit({ type: 'turn.ended', turnId: 't', end: { kind: 'rested' } });
  panel.reload();
  panel.feed.load('c0');
  const kept = { filesFrom: 0, keptMessages: 0, todos: [], reviews: [], files: [] };
  const to = { kind: 'chapter', chapterId: 'c3' } as const;
  panel.emit({ type: 'session.rewound', rewindId: 'r', to, scope: 'both', ...kept });
  const whole = () => panel.page.chapters.flatMap(({ id, unloaded }) => (unloaded === undefined ? [id] : []));
  expect(whole()).toEqual(['c0', 'c2']);
  expect(panel.page.rewound?.chapters.map(({ title }) => title)).toEqual(['Part 3']);
  panel.emit({ type: 'rewind.undone', rewindId: 'r', files: [] });
  expect(whole()).toEqual(['c0', 'c2', 'c4']);
  expectSame(panel);
  panel.feed.dispose();
});

test('a chapter is sent once, and one that is gone or in another session not at all', () => {
  const posted: string[] = [];
  let state: SessionState = { ...emptySession, sessionId: 'one' };
  const feed = new PanelFeed(
    message => posted.push(message.type),
    () => state,
    { items: 0, size: 0 },
  );
  const emit = (body: SessionEventBody) => {
    state = reduce(state, { ...body, seq: state.seq + 1, at: 1 });
  };
  emit({ type: 'turn.started', turnId: 't', text: 'a', attachments: [] });
  emit({ type: 'chapter.started', chapterId: 'c', title: 'C' });
  feed.load('opening');
  feed.attach();
  feed.load('opening');
  feed.load('opening');
  feed.load('nowhere');
  expect(posted).toEqual(['session.snapshot', 'chapter.loaded']);
  state = { ...state, sessionId: 'two' };
  feed.snapshot();
  feed.load('opening');
  expect(posted.slice(2)).toEqual(['session.snapshot', 'chapter.loaded']);
  feed.dispose();
});
