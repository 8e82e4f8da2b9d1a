import { expect, test } from 'vitest';
import { Excerpt, type ExcerptLimits } from '../../src/extension/vscode/panel/excerpt.ts';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../src/extension/vscode/panel/shownSession.ts';
import type { CompressionPlan } from '../../src/protocol/compression.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduceWithAgents } from '../../src/protocol/fold/reduceAgents.ts';
import type { RewindTarget } from '../../src/protocol/intentions.ts';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { applyPatches } from '../../src/protocol/panel/patches.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { type EmittedBody, numbered } from '../support/emitted.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const nothingMore = { items: 0, size: 0 };

/** A host that works and a page that knows only what it is told, and does with it what the panel's page does. */
class Panel {
  host: SessionState = { ...emptySession, sessionId: 's' };
  page: PanelState = new Excerpt(emptySession).of(emptySession);
  posted: string[] = [];
  readonly feed: PanelFeed;
  private readonly bounds: ExcerptLimits | undefined;

  constructor(bounds?: ExcerptLimits) {
    this.feed = new PanelFeed(
      message => this.receive(message),
      () => this.host,
    );
    this.bounds = bounds;
    this.attach();
  }

  emit(body: EmittedBody): void {
    this.host = reduceWithAgents(this.host, numbered(body, this.host.seq + 1, 1000 + this.host.seq));
    this.feed.changed();
  }

  /** What is on its way has arrived. */
  settle(): void {
    this.feed.notify({ type: 'composer.focused' });
  }

  /** Another page takes the place of this one. */
  reload(): void {
    this.feed.detach();
    this.attach();
  }

  private attach(): void {
    this.feed.attach(state => new ShownSession(state, this.bounds));
  }

  private receive(message: ToWebview): void {
    const wire = JSON.stringify(message);
    this.posted.push(wire);
    const heard: ToWebview = JSON.parse(wire);
    if (heard.type === 'session.shown') this.page = heard.state;
    if (heard.type === 'session.changed') this.page = applyPatches(this.page, heard.patches);
  }
}

/** What the page has is what another excerpt would have in which the same is open. */
function expectSame({ page, host }: Panel): void {
  const excerpt = new Excerpt(host, nothingMore);
  for (const id of openedIn(page)) excerpt.open(id);
  expect(page).toEqual(JSON.parse(JSON.stringify(excerpt.of(host))));
}

function openedIn({ chapters }: PanelState): readonly string[] {
  const opened = chapters.filter(({ unloaded }) => unloaded === undefined).map(({ id }) => id);
  return [...opened, ...agentsOpenedIn(chapters)];
}

/** By their calls: the chapters of subagents have the names of the session's. */
function agentsOpenedIn(chapters: PanelState['chapters']): readonly string[] {
  const items = chapters.flatMap(chapter => chapter.items.pages.flat());
  return items.flatMap(item => {
    if (item.type !== 'call' || !item.agent) return [];
    const { chapters: own } = item.agent.session;
    return [...(own[0]?.unloaded === undefined ? [item.id] : []), ...agentsOpenedIn(own)];
  });
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
      readonly of: (host: SessionState, number: number) => readonly EmittedBody[];
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
  of: (host: SessionState, number: number, choice: number) => readonly (EmittedBody | undefined)[],
): fc.Arbitrary<Action> =>
  fc.nat(1000).map(choice => ({
    kind: 'events',
    of: (host, number) => of(host, number, choice).filter(each => each !== undefined),
  }));

function agentStep(callId: string | undefined, number: number): readonly EmittedBody[] {
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
      { type: 'turn.started', turnId: `t${n}`, text: 'Continue', attachments: [image] },
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
  const points: RewindTarget[] = [
    ...idsOf(host, 'prompt').map((turnId): RewindTarget => ({ kind: 'turn', turnId })),
    ...host.chapters.slice(1).map(({ id }): RewindTarget => ({ kind: 'chapter', chapterId: id })),
  ];
  const to = pick(points, at);
  if (!to || host.activity.status !== 'resting') return undefined;
  const scope = (['both', 'conversation', 'files'] as const)[at % 3]!;
  const kept = { filesFrom: 0, keptMessages: 0, todos: [], reviews: [], files: [] };
  return { type: 'session.rewound', rewindId: `r${number}`, to, scope, ...kept };
}

function loadable(host: SessionState): readonly string[] {
  return [...host.chapters.map(({ id }) => id), ...idsOf(host, 'call')];
}

function play(panel: Panel, actions: readonly Action[]): void {
  for (const [number, each] of actions.entries()) {
    if (each.kind === 'events') for (const body of each.of(panel.host, number)) panel.emit(body);
    if (each.kind === 'load') panel.feed.load(pick(loadable(panel.host), each.at) ?? '');
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
    { numRuns: runSize({ test: 120, prove: 10_000 }) },
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
    { numRuns: runSize({ test: 50, prove: 4000 }) },
  );
});

/** Chapters of three items each; the first begins with a prompt, and the turn continues. */
function longTurn(panel: Panel, chapters: number): void {
  panel.emit({ type: 'turn.started', turnId: 't', text: 'Everything', attachments: [] });
  for (let chapter = 0; chapter < chapters; chapter++) {
    panel.settle();
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
  expect(chapters[1]).toMatchObject({ title: 'Part 0', usage: { prompt: 20 } });
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

test('chapters that the page has asked for stay through a rewind and its undoing', () => {
  const panel = new Panel({ items: 3, size: 1000 });
  longTurn(panel, 5);
  panel.emit({ type: 'turn.ended', turnId: 't', end: { kind: 'rested' } });
  panel.reload();
  panel.feed.load('c0');
  const kept = { filesFrom: 0, keptMessages: 0, todos: [], reviews: [], files: [] };
  const to = { kind: 'chapter', chapterId: 'c3' } as const;
  panel.emit({ type: 'session.rewound', rewindId: 'r', to, scope: 'both', ...kept });
  panel.settle();
  const whole = () => panel.page.chapters.flatMap(({ id, unloaded }) => (unloaded === undefined ? [id] : []));
  expect(whole()).toEqual(['c0', 'c2']);
  expect(panel.page.rewound?.chapters.map(({ title }) => title)).toEqual(['Part 3']);
  panel.emit({ type: 'rewind.undone', rewindId: 'r', files: [] });
  panel.settle();
  expect(whole()).toEqual(['c0', 'c2', 'c4']);
  expectSame(panel);
  panel.feed.dispose();
});

test('a chapter is sent once, and one that is gone or in another session not at all', () => {
  const panel = new Panel(nothingMore);
  longTurn(panel, 1);
  panel.reload();
  panel.posted = [];
  for (const id of ['opening', 'opening', 'nowhere']) panel.feed.load(id);
  expect(panel.posted).toHaveLength(1);
  panel.host = { ...panel.host, sessionId: 'two' };
  panel.feed.update();
  expect(panel.page.chapters[0]).toMatchObject({ unloaded: 1 });
  panel.feed.load('opening');
  expectSame(panel);
  panel.feed.dispose();
});

test('the work of a subagent comes while it is seen, and of one that has ended when it is asked for', () => {
  const panel = new Panel();
  longTurn(panel, 1);
  panel.emit(request('k'));
  for (const body of agentStep('k', 1)) panel.emit(body);
  panel.settle();
  const work = () => {
    const call = panel.page.chapters.at(-1)!.items.pages[0]!.find(({ id }) => id === 'k');
    return call?.type === 'call' ? call.agent?.session.chapters[0] : undefined;
  };
  expect(work()?.items.length).toBe(1);
  panel.emit(endOf('k')!);
  panel.settle();
  expect(work()).toMatchObject({ items: { length: 1 } });
  panel.reload();
  expect(work()).toMatchObject({ unloaded: 1, items: { length: 0 } });
  panel.feed.load('k');
  expect(work()?.items.pages[0]).toMatchObject([{ text: 'So be it' }]);
  expectSame(panel);
  panel.feed.dispose();
});

test('what stays as it was stays the same object, and an answer that grows travels once', () => {
  const panel = new Panel();
  longTurn(panel, 3);
  panel.settle();
  const before = panel.page;
  panel.posted = [];
  for (let piece = 0; piece < 500; piece++) {
    panel.emit({ type: 'text.appended', stepId: 'long', text: 'A sentence of the answer. '.repeat(20) });
    panel.settle();
  }
  const [, ...later] = panel.posted.filter(message => message.startsWith('{"type":"session.changed"'));
  expect(later).toHaveLength(499);
  expect(Math.max(...later.map(({ length }) => length))).toBeLessThan(800);
  expect(panel.page.chapters.slice(0, -1)).toEqual(before.chapters.slice(0, -1));
  for (const [at, chapter] of before.chapters.slice(0, -1).entries())
    expect(panel.page.chapters[at]).toBe(chapter);
  expectSame(panel);
  panel.feed.dispose();
});
