import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { summarySystem } from '../../../src/extension/core/context/compression/summaryPrompt.ts';
import { estimateText } from '../../../src/extension/core/context/tokens.ts';
import {
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from '../../../src/extension/core/model.ts';
import { readJournals } from '../../../src/extension/core/recording/readEvents.ts';
import { readSession } from '../../../src/extension/core/recording/restore.ts';
import type { Message, SessionEventBody } from '../../../src/protocol/events.ts';
import { reduceWithAgents } from '../../../src/protocol/fold/reduceAgents.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
import { ask, report, say, send } from '../../support/castModel.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { inside } from '../../support/emitted.ts';
import { makeHookFolder, oneHook } from '../../support/hookWorld.ts';
import { journalLines, putJournals } from '../../support/journals.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';
import { snapshotOf } from '../../support/wireWorld.ts';

const limit = 8_000;
const task = 'Read all parts';
const parts = Array.from({ length: 12 }, (_, index) => `part${index}.txt`);
const reading = parts.map(file_path => ask(['read_file', { file_path }]));

/** Takes so many tokens and no more, counts them, and tells the agent, the session and the summary apart. */
class SmallModel implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  readonly summaries: ModelRequest[] = [];
  private readonly session: ScriptedAnswer[];
  private readonly work: ScriptedAnswer[];
  private readonly summary: () => ScriptedAnswer;

  constructor(work: readonly ScriptedAnswer[], summary: () => ScriptedAnswer) {
    this.session = [send(['generalist', task]), say('Done.')];
    this.work = [...work];
    this.summary = summary;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const prompt = estimateText(JSON.stringify([request.system, request.tools, request.messages]));
    const answer = this.answerTo(request);
    const error =
      prompt > limit ? new ModelError('tooLarge', () => 'Too long.', { retryable: false }) : undefined;
    if (error || 'error' in answer || 'hang' in answer) {
      const failure = error ?? ('error' in answer ? answer.error : undefined);
      yield { type: 'end', end: { ok: false, error: failure! } };
      return;
    }
    const message: Message = { role: 'model', parts: answer.parts };
    const usage = { prompt, cached: 0, output: 10, thoughts: 0 };
    yield { type: 'end', end: { ok: true, message, usage, finish: 'STOP', citations: [] } };
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [{ id: 'scripted', label: 'Small', contextLimit: limit }];
  }

  private answerTo(request: ModelRequest): ScriptedAnswer {
    if (request.system === summarySystem) {
      this.summaries.push(request);
      return this.summary();
    }
    const isAgents = request.tools.some(({ name }) => name === 'complete_task');
    if (isAgents) this.requests.push(request);
    const answer = (isAgents ? this.work : this.session).shift();
    if (!answer) throw new Error('The script has no more answers.');
    return answer;
  }
}

const summarised = () => say(snapshotOf('Half of them were read.'));

function world(
  options: Partial<WorldOptions> = {},
  summary: () => ScriptedAnswer = summarised,
): World & { readonly small: SmallModel } {
  const small = new SmallModel([...reading, report('All read.')], summary);
  const files = Object.fromEntries(parts.map(path => [path, `${path} ${'word '.repeat(1_200)}`]));
  const lived = makeWorld({
    answers: [],
    files,
    agents: builtInAgents,
    provider: small,
    contextLimit: limit,
    ...options,
  });
  return { ...lived, small };
}

function typesOf(events: readonly SessionEventBody[]): readonly string[] {
  return events.map(({ type }) => type).filter(type => type.startsWith('compression.'));
}

function callOf(state: SessionState) {
  const calls = state.chapters
    .flatMap(({ items }) => [...iterate(items)])
    .filter(item => item.type === 'call');
  return calls.find(({ tool }) => tool === 'invoke_agent')!;
}

describe('an agent that reads more than its model takes', () => {
  it('is compressed on its way and works to its end', async () => {
    const lived = world();
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(callOf(lived.session.state).status).toMatchObject({
      kind: 'ended',
      outcome: 'ok',
      display: { detail: { kind: 'report', report: { result: 'All read.' } } },
    });
    const { requests, summaries } = lived.small;
    expect(requests).toHaveLength(parts.length + 1);
    for (const { messages } of [...requests, ...summaries]) expect(historyFaults(messages)).toEqual([]);
    // What it was sent out for stays word for word, and nothing is named that it has no tool for.
    const last = JSON.stringify(requests.at(-1)!.messages);
    expect(last).toContain('Half of them were read.');
    expect(requests.at(-1)!.messages).toContainEqual({
      role: 'user',
      parts: expect.arrayContaining([{ kind: 'text', text: task }]),
    });
    expect(last).not.toContain('recall_chapter');
  });

  it('would end early without it', async () => {
    const lived = world({ compressionThreshold: 1 });
    await lived.session.send('go');
    expect(callOf(lived.session.state).status).toMatchObject({
      outcome: 'failed',
      display: { summary: expect.stringContaining('It read too much') },
    });
  });

  it('reports it in its own record alone, and what it took counts for the session', async () => {
    const costOf = (_: string, { prompt }: { prompt: number }) => prompt / 1_000_000;
    const lived = world({ costOf });
    await lived.session.send('go');
    const { events, reported: heard, session, small } = lived;
    expect(typesOf(events)).toEqual([]);
    expect(events.filter(({ type }) => type === 'side.asked')).toEqual([]);
    const reported = typesOf(inside(heard));
    expect(reported.length).toBeGreaterThanOrEqual(2);
    expect(new Set(reported)).toEqual(new Set(['compression.started', 'compression.applied']));
    const sides = inside(heard).filter(event => event.type === 'side.asked');
    expect(sides).toHaveLength(small.summaries.length);
    const spent = inside(heard).flatMap(event =>
      event.type === 'side.asked' || event.type === 'step.ended' ? (event.cost ?? 0) : [],
    );
    const own = events.flatMap(event => (event.type === 'step.ended' ? (event.cost ?? 0) : []));
    const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);
    const { agent } = callOf(session.state);
    expect(agent!.session.cost).toBeCloseTo(sum(spent), 9);
    expect(session.state.cost).toBeCloseTo(sum(spent) + sum(own), 9);
    // The session's own context is not what was compressed.
    expect(session.state.compressions).toEqual([]);
    expect(agent!.session.compressions.length).toBeGreaterThan(0);
  });

  it('rests once summaries have used up the budget', async () => {
    const costOf = (_: string, { prompt }: { prompt: number }) => (prompt > 0 ? 0.01 : 0);
    const lived = world({ costOf });
    let steps = 0;
    lived.session.onAgentEvent(({ event }) => {
      if (event.type === 'step.ended') steps++;
    });
    await lived.session.send('go');
    // Without what summaries took, this budget would reach to the end.
    const enough = world({
      costOf,
      budgets: [{ kind: 'money', scope: 'turn', limit: 0.01 * (steps + 2) }],
    });
    expect(await enough.session.send('go')).toMatchObject({ kind: 'budget' });
  });

  it('folds from its journal to the live state', async () => {
    const lived = world();
    await lived.session.send('go');
    expect(lived.reported.reduce(reduceWithAgents, emptySession)).toEqual(lived.session.state);
    const { state } = readSession(await readJournals(lived.store, lived.session.id));
    expect(state).toEqual(lived.session.state);
  });

  it('killed after any event of it comes back with nothing open', async () => {
    const whole = world();
    await whole.session.send('go');
    const lines = journalLines(whole.store, whole.session.id);
    const places = lines.flatMap(({ text }, at) => (/compression\.|side\.asked/.test(text) ? [at + 1] : []));
    expect(places.length).toBeGreaterThan(3);
    for (const kept of places) {
      const next = makeWorld({ answers: [say('ok')], agents: builtInAgents });
      putJournals(next.store, 'cut', lines.slice(0, kept));
      const session = await next.agent.openSession('cut');
      const { agent, status } = callOf(session.state);
      expect(status.kind, `cut after ${kept}`).toBe('ended');
      expect(agent!.session.activity.status, `cut after ${kept}`).toBe('resting');
      expect(agent!.session.compression, `cut after ${kept}`).toBeUndefined();
      await session.send('and now?');
      expect(historyFaults(next.model.requests[0]!.messages), `cut after ${kept}`).toEqual([]);
    }
  });

  it('continues as far as it can where a summary fails, and says so in its transcript', async () => {
    const lived = world({ maxAttempts: 1 }, () => say('I would rather not.'));
    await lived.session.send('go');
    expect(callOf(lived.session.state).status).toMatchObject({
      outcome: 'failed',
      display: { summary: expect.stringContaining('It read too much') },
    });
    const types = typesOf(inside(lived.reported));
    const attempts = types.filter(type => type === 'compression.started').length;
    expect(types.filter(type => type === 'compression.ended')).toHaveLength(attempts);
    // Each costs as much as a request, so it is not tried at every one.
    expect(attempts).toBeLessThan(reading.length / 2);
    const result = JSON.stringify(lived.events.findLast(({ type }) => type === 'message.added'));
    expect(result).not.toContain('Compress Context');
  });

  it('is stopped while it is being summarised', async () => {
    const lived = world();
    lived.session.onAgentEvent(({ event }) => {
      if (event.type === 'compression.started') void lived.session.stop();
    });
    expect(await lived.session.send('go')).toEqual({ kind: 'stopped' });
    const { agent } = callOf(lived.session.state);
    expect(agent!.session.compression).toBeUndefined();
    expect(agent!.session.activity.status).toBe('resting');
    expect(inside(lived.reported)).toContainEqual(
      expect.objectContaining({ type: 'compression.ended', end: { kind: 'stopped' } }),
    );
  });

  it.skipIf(process.platform === 'win32')('is not compressed where a hook objects', async () => {
    const folder = await makeHookFolder();
    await folder.ofUser(oneHook('PreCompress', await folder.script('compress', 'Not now.', 2)));
    const lived = world({ hooks: folder.hooks, folder: folder.workspace });
    await lived.session.send('go');
    await folder.dispose();
    expect(lived.small.summaries).toEqual([]);
    expect(inside(lived.reported)).toContainEqual(
      expect.objectContaining({
        type: 'compression.ended',
        end: { kind: 'failed', message: expect.stringContaining('Not now.') },
      }),
    );
  });
});
