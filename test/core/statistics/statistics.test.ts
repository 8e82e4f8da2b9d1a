import { beforeEach, expect, test } from 'vitest';
import { SessionCatalog } from '../../../src/extension/core/recording/sessionCatalog.ts';
import { readStatistics } from '../../../src/extension/core/statistics/statisticsIndex.ts';
import {
  daysUpTo,
  statisticsCsv,
  summariseStatistics,
} from '../../../src/extension/core/statistics/summarise.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { JournalChunk } from '../../../src/extension/platform/storage.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const dayMs = 24 * 60 * 60 * 1000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const monday = Date.parse('2026-11-23T10:00:00Z');

type Timed = readonly [at: number, body: SessionEventBody];

const started: Timed = [
  monday,
  { type: 'session.started', sessionId: 's', folders: ['/home/me/app'], model: 'auto', mode: 'default' },
];
const prompt = (at: number): Timed => [
  at,
  { type: 'turn.started', turnId: `t${at}`, text: 'Go on', attachments: [] },
];
const end = (at: number): Timed => [at, { type: 'turn.ended', turnId: 't', end: { kind: 'rested' } }];
const step = (at: number, model: string, cost?: number): readonly Timed[] => [
  [at, { type: 'step.started', stepId: `s${at}`, number: 1, model }],
  [
    at + 1,
    {
      type: 'step.ended',
      stepId: `s${at}`,
      usage: { prompt: 1000, cached: 800, output: 50, thoughts: 10 },
      cost,
      finish: 'stop',
      citations: [],
    },
  ],
];
const requested = (at: number, callId: string, tool: string, args = {}): Timed => [
  at,
  { type: 'call.requested', callId, stepId: 's', tool, effect: 'run', title: tool, args },
];
const asked = (at: number, callId: string): Timed => [
  at,
  {
    type: 'call.asked',
    callId,
    ask: { id: 'a', subject: { kind: 'command' } },
  } as unknown as SessionEventBody,
];
const decided = (
  at: number,
  callId: string,
  decision: SessionEventBody<'call.decided'>['decision'],
): Timed => [at, { type: 'call.decided', callId, decision }];
const ended = (
  at: number,
  callId: string,
  outcome: SessionEventBody<'call.ended'>['outcome'] = 'ok',
  display: object = {},
): Timed => [
  at,
  {
    type: 'call.ended',
    callId,
    outcome,
    display: { summary: '', ...display },
    durationMs: 5,
  } as SessionEventBody<'call.ended'>,
];
const diff = { detail: { kind: 'diff', diff: { path: 'a.ts', added: 7, removed: 2, hunks: [] } } };
const review = (hunks: readonly object[] | undefined): SessionEventBody =>
  ({
    type: 'review.changed',
    path: '/home/me/app/a.ts',
    review: hunks && {
      path: '/home/me/app/a.ts',
      shown: 'a.ts',
      change: 'modified',
      base: 'b',
      present: 'p',
      hunks: hunks.map(hunk => ({ status: 'pending', chapterIds: [], ...hunk })),
    },
  }) as unknown as SessionEventBody;

class WatchedStore extends NodeSessionStore {
  readonly scans: string[] = [];

  override scanJournal(sessionId: string, from: number): AsyncIterable<JournalChunk> {
    this.scans.push(`${sessionId} ${from > 0 ? 'further' : 'again'}`);
    return super.scanJournal(sessionId, from);
  }
}

let root: string;
let warnings: string[];
const log = { warn: (text: string) => void warnings.push(text) };

beforeEach(async () => {
  root = await temporaryFolder('folio-statistics-');
  warnings = [];
});

async function add(sessionId: string, ...events: readonly Timed[]): Promise<void> {
  const store = new NodeSessionStore(root);
  const journal = await store.openJournal(sessionId);
  const before = (await store.readJournal(sessionId)).length;
  for (const [index, [at, body]] of events.entries())
    journal.append(JSON.stringify({ ...body, seq: before + index + 1, at }));
  await journal.close();
}

async function read(store = new NodeSessionStore(root), days = 0) {
  const statistics = await readStatistics({ store, log, dayOf });
  return { statistics, summary: summariseStatistics(statistics, daysUpTo('2026-11-29', days)) };
}

test('requests count on the day they were made, with the model that answered', async () => {
  await add(
    's1',
    started,
    prompt(monday),
    ...step(monday, 'gemini-3-pro', 0.5),
    ...step(monday + dayMs, 'claude-opus', 1.25),
    [
      monday + dayMs,
      {
        type: 'side.asked',
        purpose: 'summary',
        model: 'gemini-flash',
        usage: { prompt: 10, cached: 0, output: 2, thoughts: 0 },
        cost: undefined,
      },
    ],
  );
  const { summary } = await read();
  expect(summary.bars[0]!.start).toBe('2026-11-23');
  expect(summary.bars.map(({ models }) => models.map(({ name }) => name)).slice(0, 3)).toEqual([
    ['gemini-3-pro'],
    ['claude-opus', 'gemini-flash'],
    [],
  ]);
  expect(summary.models.map(({ name, counts }) => [name, counts.cost, counts.unpriced])).toEqual([
    ['claude-opus', 1.25, undefined],
    ['gemini-3-pro', 0.5, undefined],
    ['gemini-flash', undefined, 1],
  ]);
  expect(summary.totals).toMatchObject({ requests: 3, input: 2010, cached: 1600, output: 122, cost: 1.75 });
});

test('waiting for the user is no work, also when two calls ask at once', async () => {
  await add(
    's1',
    started,
    prompt(monday),
    requested(monday + 1000, 'a', 'run_shell_command'),
    asked(monday + 1000, 'a'),
    requested(monday + 2000, 'b', 'run_shell_command'),
    asked(monday + 2000, 'b'),
    decided(monday + 4000, 'a', 'once'),
    decided(monday + 6000, 'b', 'deny'),
    ended(monday + 7000, 'a'),
    ended(monday + 7000, 'b', 'denied'),
    end(monday + 10_000),
  );
  const { summary } = await read();
  expect(summary.totals).toMatchObject({ workMs: 5000, waitMs: 5000, allowed: 1, refused: 1, calls: 2 });
});

test('a turn that was interrupted ends when it was last at work', async () => {
  await add('s1', started, prompt(monday), [
    monday + 9 * dayMs,
    { type: 'turn.ended', turnId: 't', end: { kind: 'stopped' }, lastActiveAt: monday + 3000 },
  ]);
  const { summary } = await read();
  expect(summary.totals).toMatchObject({ workMs: 3000 });
});

test('calls say how they ended, who agreed, and how many tests passed', async () => {
  await add(
    's1',
    started,
    prompt(monday),
    requested(monday, 'a', 'read_file'),
    ended(monday, 'a'),
    requested(monday, 'b', 'read_file'),
    ended(monday, 'b', 'failed'),
    requested(monday, 'c', 'run_shell_command'),
    ended(monday, 'c', 'denied'),
    requested(monday, 'd', 'run_tests'),
    asked(monday, 'd'),
    decided(monday, 'd', 'always'),
    ended(monday, 'd', 'ok', { tests: { passed: 12, failed: 1, skipped: 0 } }),
    requested(monday, 'e', 'create_new_topic'),
    ended(monday, 'e'),
  );
  const { summary } = await read();
  expect(Object.fromEntries(summary.tools.map(({ name, counts }) => [name, counts]))).toEqual({
    read_file: { calls: 2, failed: 1, callMs: 10, unasked: 2 },
    run_shell_command: { calls: 1, callMs: 5, refusedByRule: 1 },
    run_tests: { calls: 1, callMs: 5, allowed: 1, always: 1, testsPassed: 12, testsFailed: 1 },
  });
});

test('lines are kept that were approved first or accepted in review, not those that were rejected or rewritten', async () => {
  const written: SessionEventBody = {
    type: 'file.written',
    path: '/home/me/app/a.ts',
    after: 'x',
    by: 'call',
  };
  await add(
    's1',
    started,
    prompt(monday),
    requested(monday, 'a', 'replace'),
    asked(monday, 'a'),
    decided(monday, 'a', 'once'),
    ended(monday, 'a', 'ok', diff),
    requested(monday, 'b', 'replace'),
    ended(monday, 'b', 'ok', diff),
    // Two hunks wait; the agent rewrites the first one.
    [
      monday,
      review([
        { id: 1, count: 4, baseCount: 1 },
        { id: 2, count: 3, baseCount: 1 },
      ]),
    ],
    [monday, written],
    [
      monday,
      review([
        { id: 3, count: 5, baseCount: 1 },
        { id: 2, count: 3, baseCount: 1 },
      ]),
    ],
    // The user accepts the second and rejects the other.
    [monday, review([{ id: 3, count: 5, baseCount: 1 }])],
    [monday, written],
    [monday, review([{ id: 3, count: 5, baseCount: 1, status: 'rejected' }])],
    [monday, review(undefined)],
  );
  const { summary } = await read();
  expect(summary.totals).toMatchObject({ added: 14, removed: 4, keptAdded: 10, keptRemoved: 3 });
});

test('lines that a worktree brought home are kept once', async () => {
  const writers = [{ kind: 'call', callId: 'b', words: 'Bring Home' }];
  await add(
    's1',
    started,
    prompt(monday),
    requested(monday, 'a', 'replace'),
    asked(monday, 'a'),
    decided(monday, 'a', 'once'),
    ended(monday, 'a', 'ok', diff),
    requested(monday, 'b', 'bring_home'),
    ended(monday, 'b'),
    [monday, review([{ id: 1, count: 4, baseCount: 1, writers }])],
    [monday, review(undefined)],
  );
  const { totals } = (await read()).summary;
  expect([totals.keptAdded, totals.keptRemoved]).toEqual([totals.added, totals.removed]);
});

test('what a subagent takes counts once, and its time is that of the session', async () => {
  await add(
    's1',
    started,
    prompt(monday),
    ...step(monday, 'gemini-3-pro', 0.5),
    requested(monday, 'x', 'invoke_agent', { agent_name: 'helper' }),
    ended(monday + 4000, 'x'),
    end(monday + 5000),
  );
  const store = new NodeSessionStore(root);
  const own = await store.reopenJournal('s1');
  const journal = await store.openAgentJournal('s1', 'x');
  const inner = [started, prompt(monday), ...step(monday, 'gemini-flash', 0.1), end(monday + 4000)] as const;
  for (const [index, [at, body]] of inner.entries())
    journal.append(JSON.stringify({ ...body, seq: index + 10, at }));
  await journal.close();
  await own.close();
  const { summary } = await read();
  expect(summary.totals).toMatchObject({ requests: 2, cost: 0.6, prompts: 1, workMs: 5000, calls: 1 });
  expect((await read()).summary.totals).toEqual(summary.totals);
});

test('a copy of a session does not count again what it copied', async () => {
  await add('s1', started, prompt(monday), ...step(monday, 'gemini-3-pro', 0.5), end(monday + 1000));
  const clock = new ManualClock();
  const catalog = new SessionCatalog({
    store: new NodeSessionStore(root),
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const copy = await catalog.copy('s1', 'Another way');
  expect((await read()).summary.totals).toMatchObject({ requests: 1, cost: 0.5 });
  await add(copy, ...step(monday + dayMs, 'gemini-3-pro', 0.25));
  expect((await read()).summary).toMatchObject({ sessions: 2, totals: { requests: 2, cost: 0.75 } });
});

test('journals that have not changed are not read, grown ones only further, and sums are those of one reading', async () => {
  const first = [started, prompt(monday), requested(monday, 'a', 'read_file')];
  const second = [ended(monday, 'a'), ...step(monday, 'gemini-3-pro', 0.5), end(monday + 1000)];
  await add('s1', ...first);
  await add('s2', ...first, ...second);
  const store = new WatchedStore(root);
  await read(store);
  expect(store.scans.toSorted()).toEqual(['s1 again', 's2 again']);
  await read(store);
  expect(store.scans).toHaveLength(2);
  await add('s1', ...second);
  const { statistics } = await read(store);
  expect(store.scans.slice(2)).toEqual(['s1 further']);
  expect(statistics.sessions[0]).toEqual(statistics.sessions[1]);
});

test('a cache that is torn or of another kind costs nothing but time', async () => {
  await add('s1', started, prompt(monday), ...step(monday, 'gemini-3-pro', 0.5));
  const store = new NodeSessionStore(root);
  const { summary } = await read(store);
  for (const text of ['{"version":1,"sess', '{"version":1,"sessions":{"s1":{"size":"large"}}}', '[]']) {
    await store.writeIndex('statistics', text);
    expect((await read(store)).summary).toEqual(summary);
  }
  expect(warnings).toEqual([]);
});

test('days without work have empty bars, and many days become months', async () => {
  await add('s1', started, prompt(monday), ...step(monday, 'm', 1));
  const week = (await read(undefined, 7)).summary.bars;
  expect(week.map(({ start }) => start.slice(8))).toEqual(['23', '24', '25', '26', '27', '28', '29']);
  await add('s2', started, ...step(monday - 100 * dayMs, 'm', 1));
  const all = (await read()).summary.bars;
  expect(all.map(({ start }) => start)).toEqual(['2026-08', '2026-09', '2026-10', '2026-11']);
  expect((await read(undefined, 7)).summary).toMatchObject({ sessions: 1, totals: { cost: 1 } });
});

test('CSV has a line for each day, project, model and tool, and runs nothing in a spreadsheet', async () => {
  await add(
    's1',
    started,
    prompt(monday),
    ...step(monday, 'gemini-3-pro', 0.5),
    requested(monday, 'a', '=HYPERLINK("x")'),
    ended(monday, 'a'),
  );
  const { statistics } = await read();
  const csv = statisticsCsv(statistics, daysUpTo('2026-11-29', 0)).split('\r\n');
  expect(csv[0]).toMatch(/^day,project,model,tool,prompts,requests,input,cached,output,cost,/);
  expect(csv.slice(1, -1)).toEqual([
    expect.stringMatching(/^2026-11-23,\/home\/me\/app,,,1,0,/),
    expect.stringMatching(/^2026-11-23,\/home\/me\/app,gemini-3-pro,,0,1,1000,800,60,0.5,0,/),
    expect.stringMatching(/^2026-11-23,\/home\/me\/app,gemini-3-pro,"'=HYPERLINK\(""x""\)",0,/),
  ]);
});
