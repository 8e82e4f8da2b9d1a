import { describe, expect, it, onTestFinished } from 'vitest';
import { type BudgetLimit, TurnLimits } from '../../../src/extension/core/limitSettings.ts';
import { Budgets } from '../../../src/extension/core/session/budgets.ts';
import type { SessionEvent, SessionEventBody, TurnEnd } from '../../../src/protocol/events.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

function world(options: Partial<WorldOptions>, steps = 30): World {
  const calls = Array.from({ length: steps }, (_, at): ScriptedAnswer => {
    const args = { file_path: 'a.txt', from: at };
    return { parts: [{ kind: 'call', id: `c${at}`, name: 'read_file', args }] };
  });
  const answers = [...calls, { parts: [{ kind: 'text', text: 'Done.' } as const] }];
  const made = makeWorld({ mode: 'yolo', files: { 'a.txt': 'a' }, answers, ...options });
  onTestFinished(() => made.session.dispose());
  return made;
}

function stepsOf({ events }: World): number {
  return events.filter(({ type }) => type === 'step.ended').length;
}

function warnings({ events }: World): readonly string[] {
  return events.flatMap(event => (event.type === 'notice.shown' ? [event.text] : []));
}

function budgetOf(end: TurnEnd): unknown {
  return end.kind === 'budget' ? end.budget : end;
}

describe('a turn', () => {
  it('rests at its steps, after one warning, and each time the user continues it gets as many again', async () => {
    const limited = world({ maxSteps: 10 });
    const end = await limited.session.send('go');
    expect(budgetOf(end)).toEqual({ kind: 'steps', scope: 'turn', limit: 10, used: 10 });
    expect(warnings(limited)).toEqual([
      '80 % of the limit of 10 steps for one prompt is used up. At the limit, Folio pauses and asks whether to continue.',
    ]);
    expect(budgetOf(await limited.session.retry())).toMatchObject({ limit: 20, used: 20 });
    expect(stepsOf(limited)).toBe(20);
    expect(warnings(limited)).toHaveLength(2);
    expect(budgetOf(await limited.session.retry())).toMatchObject({ limit: 30, used: 30 });
    expect(await limited.session.retry()).toEqual({ kind: 'rested' });
  });

  it('starts again with the next prompt', async () => {
    const limited = world({ maxSteps: 10 }, 15);
    expect((await limited.session.send('go')).kind).toBe('budget');
    expect(await limited.session.send('and on')).toEqual({ kind: 'rested' });
    expect(stepsOf(limited)).toBe(16);
  });

  it('counts tokens that no cache had, and all that was written', async () => {
    // The scripted model counts 100 tokens more with each request, and 10 written.
    const limited = world({ budgets: [{ kind: 'tokens', scope: 'turn', limit: 600 }] });
    expect(budgetOf(await limited.session.send('go'))).toEqual({
      kind: 'tokens',
      scope: 'turn',
      limit: 600,
      used: 630,
    });
    expect(stepsOf(limited)).toBe(3);
  });

  it('counts money where a price is known, and never where none is', async () => {
    const budgets: readonly BudgetLimit[] = [{ kind: 'money', scope: 'turn', limit: 1 }];
    const priced = world({ budgets, costOf: () => 0.25 });
    expect(budgetOf(await priced.session.send('go'))).toMatchObject({ kind: 'money', used: 1 });
    expect(await world({ budgets }).session.send('go')).toEqual({ kind: 'rested' });
  });

  it('counts the time of work, and not the time that the user took', async () => {
    const budgets: readonly BudgetLimit[] = [{ kind: 'time', scope: 'turn', limit: 1000 }];
    const asked = world({ budgets, mode: 'default' }, 0);
    asked.model.answers.unshift(
      { parts: [{ kind: 'call', id: 'w', name: 'write_file', args: { file_path: 'b', content: 'b' } }] },
      { parts: [{ kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a.txt' } }] },
    );
    let passed = 0;
    const now = asked.clock.now.bind(asked.clock);
    asked.clock.now = () => now() + passed;
    asked.session.onEvent(event => {
      if (event.type === 'step.started') passed += 300;
      if (event.type !== 'call.asked') return;
      passed += 50_000;
      setImmediate(() => asked.session.decide(event.callId, { kind: 'once' }));
    });
    expect(await asked.session.send('go')).toEqual({ kind: 'rested' });
    asked.model.answers.push(...world({}).model.answers);
    expect(budgetOf(await asked.session.send('more'))).toMatchObject({ kind: 'time', used: 1200 });
  });
});

describe('a session', () => {
  const budgets: readonly BudgetLimit[] = [{ kind: 'tokens', scope: 'session', limit: 600 }];

  it('keeps what its turns took together, also over a reload and behind a rewind', async () => {
    const limited = world({ budgets }, 0);
    const says: ScriptedAnswer = { parts: [{ kind: 'text', text: 'ok' }] };
    limited.model.answers.push(says, says, says, says, says);
    await limited.session.send('one');
    await limited.session.send('two');
    expect(warnings(limited)).toEqual([]);
    const turn = limited.events.find(event => event.type === 'turn.started')!;
    await limited.session.rewind({ kind: 'turn', turnId: turn.turnId }, 'conversation');
    await limited.session.dispose();
    const again = await limited.agent.openSession(limited.session.id);
    onTestFinished(() => again.dispose());
    expect(await again.send('three')).toEqual({ kind: 'rested' });
    expect(budgetOf(await again.send('four'))).toEqual({
      kind: 'tokens',
      scope: 'session',
      limit: 600,
      used: 630,
    });
    expect(await again.retry()).toEqual({ kind: 'rested' });
  });

  it('counts what was asked beside the conversation', async () => {
    const limited = world({ budgets, nextSpeakerCheck: true }, 0);
    limited.model.answers.push({ parts: [{ kind: 'text', text: '{"next":"user"}' }] });
    await limited.session.send('one');
    expect(limited.session.state.usage).toMatchObject({ prompt: 300, output: 20 });
    expect(limited.session.state.chapters[0]!.usage).toMatchObject({ prompt: 100, output: 10 });
    expect(limited.session.state.contextTokens).toBe(110);
  });
});

function limitsOf(budgets: () => readonly BudgetLimit[]): TurnLimits {
  return new TurnLimits(() => ({
    budgets: budgets(),
    maxAttempts: 1,
    compressionThreshold: 1,
    outputLength: 1000,
    loopDetection: false,
    nextSpeakerCheck: false,
    classify: false,
  }));
}

describe('what was used', () => {
  function fold(limits: readonly BudgetLimit[], ...bodies: readonly (readonly [number, SessionEventBody])[]) {
    const budgets = new Budgets(limitsOf(() => limits));
    for (const [index, [at, body]] of bodies.entries())
      budgets.fold({ ...body, at, seq: index + 1 } as SessionEvent);
    return budgets;
  }
  const started = { type: 'turn.started', turnId: 't', text: 'go', attachments: [] } as const;
  const time: BudgetLimit = { kind: 'time', scope: 'turn', limit: 100 };

  it('leaves out the time between a crash and the resume', () => {
    const end = { kind: 'stopped' } as const;
    const budgets = fold(
      [time],
      [0, started],
      [90_000, { type: 'turn.ended', turnId: 't', end, lastActiveAt: 40 }],
      [90_000, { type: 'turn.retried', turnId: 't2' }],
    );
    expect(budgets.check(90_050).reached).toBeUndefined();
    expect(budgets.check(90_060).reached).toMatchObject({ used: 100 });
  });

  it('continues to count when a call that waited for the user was cancelled', () => {
    const display = { summary: 'Stopped' };
    const budgets = fold(
      [time],
      [0, started],
      [10, { type: 'call.asked', callId: 'c', ask: {} as never }],
      [500, { type: 'call.ended', callId: 'other', outcome: 'ok', display, durationMs: 0 }],
      [1000, { type: 'call.ended', callId: 'c', outcome: 'cancelled', display, durationMs: 0 }],
    );
    expect(budgets.check(1080).near).toMatchObject([{ used: 90 }]);
    expect(budgets.check(1085).near).toEqual([]);
  });

  it('follows a limit that changes while a turn runs', () => {
    let limit = 100;
    const limits = limitsOf(() => [{ ...time, limit }]);
    const budgets = new Budgets(limits);
    budgets.fold({ ...started, at: 0, seq: 1 });
    expect(budgets.check(100).reached).toBeDefined();
    limit = 1000;
    limits.refresh();
    expect(budgets.check(100).reached).toBeUndefined();
  });

  it('is understood of journals whose turns ended in ways of earlier versions', () => {
    const end = { kind: 'stepLimit', limit: 5 } as unknown as TurnEnd;
    const budgets = fold(
      [time],
      [0, started],
      [50, { type: 'turn.ended', turnId: 't', end }],
      [60, { type: 'turn.retried', turnId: 't' }],
    );
    expect(budgets.check(100).reached).toBeUndefined();
  });
});
