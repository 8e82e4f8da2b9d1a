/* What a session does with models that fail, as far as the conversations do not show it. */

import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelInfo } from '../../../src/extension/core/model.ts';
import { ModelError } from '../../../src/extension/core/model.ts';
import { ModelAvailability } from '../../../src/extension/core/routing/modelAvailability.ts';
import type { Session } from '../../../src/extension/core/session/session.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import type { FallbackDecision } from '../../../src/protocol/routing.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { type ScriptedAnswer, ScriptedModel } from '../../support/scriptedModel.ts';

const models = { strong: 'strong', fast: 'fast' };

function world(answers: readonly ScriptedAnswer[], options: Partial<WorldOptions> = {}): World {
  const made = makeWorld({ answers, mode: 'yolo', model: 'strong', models, ...options });
  onTestFinished(() => made.session.dispose());
  return made;
}

const says = (text: string): ScriptedAnswer => ({ parts: [{ kind: 'text', text }] });
const quota: ScriptedAnswer = { error: new ModelError('quota', () => 'No quota.', { retryable: false }) };
const busy: ScriptedAnswer = { error: new ModelError('overloaded', () => 'Busy.', { retryable: true }) };
const verdict = (model: 'strong' | 'fast') => says(JSON.stringify({ why: 'So.', model }));

function decideAlways(session: Session, decision: FallbackDecision): void {
  session.onEvent(({ type }) => {
    if (type === 'model.asked') setImmediate(() => session.decideFallback(decision));
  });
}

function first(session: Session, type: SessionEvent['type']): Promise<void> {
  return new Promise(resolve => session.onEvent(event => event.type === type && resolve()));
}

function of<T extends SessionEventBody['type']>(events: readonly SessionEvent[], type: T) {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

const askedModels = ({ model }: World) => model.requests.map(request => request.model);

describe('a fallback that the user named', () => {
  const covered = { models: { ...models, fallback: 'anthropic:claude' } };

  test('continues in the middle of the turn when the model is busy, and the next turn tries it again', async () => {
    const reads: ScriptedAnswer = {
      parts: [{ kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a' } }],
    };
    const made = world([reads, busy, busy, busy, says('Mine.'), says('Back.')], covered);
    expect(await made.session.send('go')).toEqual({ kind: 'rested' });
    await made.session.send('and now?');
    expect(askedModels(made)).toEqual([
      'strong',
      ...['strong', 'strong', 'strong'],
      'anthropic:claude',
      'strong',
    ]);
    expect(of(made.events, 'model.asked')).toEqual([]);
    expect(of(made.events, 'model.routed')).toMatchObject([
      { model: 'anthropic:claude', by: 'fallback', reason: 'strong is busy.' },
    ]);
    expect(made.session.state.model).toBe('strong');
  });

  test('is asked at once while the model is still busy, after one attempt', async () => {
    const made = world([busy, busy, busy, says('One.'), busy, says('Two.')], covered);
    await made.session.send('go');
    await made.session.send('again');
    expect(askedModels(made).slice(4)).toEqual(['strong', 'anthropic:claude']);
  });

  test('continues when the quota is used up, until when the provider says, and without a word for this turn', async () => {
    const made = world([quota, says('One.'), says('Back.')], covered);
    await made.session.send('go');
    await made.session.send('again');
    expect(askedModels(made)).toEqual(['strong', 'anthropic:claude', 'strong']);

    const error = new ModelError('quota', () => 'No quota.', { retryable: false, retryAfterMs: 60_000 });
    const reported = world([{ error }, says('One.'), says('Two.'), says('Back.')], covered);
    await reported.session.send('go');
    await reported.session.send('again');
    await reported.clock.sleep(60_001);
    await reported.session.send('and again');
    expect(askedModels(reported)).toEqual(['strong', 'anthropic:claude', 'anthropic:claude', 'strong']);
    expect(of(reported.events, 'model.asked')).toEqual([]);
  });

  test('that fails too leads to the question about it', async () => {
    const made = world([quota, quota, says('Fast.')], covered);
    decideAlways(made.session, 'switch');
    await made.session.send('go');
    expect(of(made.events, 'model.asked')).toMatchObject([
      { failure: { model: 'anthropic:claude', candidate: 'fast' } },
    ]);
  });
});

describe('while the user chooses', () => {
  test('an upgrade says where more quota is had, and ends the turn', async () => {
    const made = world([quota, says('Back.')]);
    decideAlways(made.session, 'upgrade');
    expect(await made.session.send('go')).toMatchObject({ kind: 'stopped' });
    expect(of(made.events, 'notice.shown')).toMatchObject([
      { level: 'info', text: 'More quota for strong: example.org.' },
    ]);
    await made.session.send('continue');
    expect(askedModels(made)).toEqual(['strong', 'strong']);
  });

  test('a stop ends the turn, and the history can continue', async () => {
    const made = world([quota, says('Back.')]);
    const asked = first(made.session, 'model.asked');
    const turn = made.session.send('go');
    await asked;
    expect(made.session.state.activity).toMatchObject({ status: 'choosing', failure: { candidate: 'fast' } });
    await made.session.stop();
    expect(await turn).toEqual({ kind: 'stopped' });
    expect(of(made.events, 'model.decided')).toMatchObject([{ decision: 'stop' }]);
    await made.session.retry();
    expect(historyFaults(made.model.requests.at(-1)!.messages)).toEqual([]);
  });

  test('a decision counts once, and none counts before or after', async () => {
    const made = world([quota, says('Done.')]);
    expect(made.session.decideFallback('switch')).toBe(false);
    const taken: boolean[] = [];
    // Also when it comes from within the event.
    made.session.onEvent(({ type }) => {
      if (type === 'model.asked') taken.push(made.session.decideFallback('switch'));
    });
    await made.session.send('go');
    expect(taken).toEqual([true]);
    expect(made.session.decideFallback('stop')).toBe(false);
    expect(made.session.state).toMatchObject({ model: 'fast', activity: { status: 'resting' } });
  });

  test('the time is not the work of the agent', async () => {
    const budgets = [{ kind: 'time', scope: 'turn', limit: 60_000 }] as const;
    const made = world(
      [
        quota,
        { parts: [{ kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a' } }] },
        says('Done.'),
      ],
      {
        budgets,
      },
    );
    made.session.onEvent(({ type }) => {
      if (type !== 'model.asked') return;
      void made.clock.sleep(3_600_000).then(() => made.session.decideFallback('retry'));
    });
    expect(await made.session.send('go')).toEqual({ kind: 'rested' });
  });

  test('a crash leaves a session that rests and can continue', async () => {
    const made = world([quota]);
    const asked = first(made.session, 'model.asked');
    const turn = made.session.send('go');
    await asked;
    await new Promise(resolve => setImmediate(resolve));
    const lines = [...made.store.journals.get(made.session.id)!];
    await made.session.stop();
    await turn;
    for (let kept = 1; kept <= lines.length; kept++) {
      const next = world([says('ok')]);
      next.store.journals.set('cut', lines.slice(0, kept));
      const again = await next.agent.openSession('cut');
      expect(again.state.activity.status, `cut after ${kept}`).toBe('resting');
      expect(await again.send('on'), `cut after ${kept}`).toEqual({ kind: 'rested' });
      expect(historyFaults(next.model.requests[0]!.messages), `cut after ${kept}`).toEqual([]);
      await again.dispose();
    }
  });

  test('what they pick in the meantime stands, and the turn continues with the candidate', async () => {
    const made = world([quota, says('Done.'), says('Mine.')]);
    made.session.onEvent(({ type }) => {
      if (type !== 'model.asked') return;
      made.session.setModel('mine');
      made.session.decideFallback('switch');
    });
    await made.session.send('go');
    await made.session.send('and on');
    expect(askedModels(made)).toEqual(['strong', 'fast', 'mine']);
    expect(made.session.state.model).toBe('mine');
  });
});

describe('a chosen model that is known to be out', () => {
  const error = new ModelError('quota', () => 'No quota.', { retryable: false });
  const known = () => {
    const availability = new ModelAvailability({ now: () => 0 });
    availability.markOut('strong', 'terminal', error);
    return availability;
  };

  test('is asked about before anything is sent, and replaced from the first step on', async () => {
    const made = world([says('Done.')], { availability: known() });
    decideAlways(made.session, 'switch');
    await made.session.send('go');
    expect(askedModels(made)).toEqual(['fast']);
    expect(made.session.state).toMatchObject({ model: 'fast', routed: { model: 'fast', by: 'fallback' } });
    expect(of(made.events, 'step.started')).toMatchObject([{ model: 'fast' }]);
    expect(of(made.events, 'step.retried')).toEqual([]);
  });

  test('is tried when the user wants it, or when nobody is there to be asked', async () => {
    const made = world([says('Done.')], { availability: known() });
    decideAlways(made.session, 'retry');
    await made.session.send('go');
    expect(askedModels(made)).toEqual(['strong']);
    const alone = world([says('Done.')], { availability: known(), interactive: false });
    await alone.session.send('go');
    expect(askedModels(alone)).toEqual(['strong']);
    expect(of(alone.events, 'model.asked')).toEqual([]);
  });
});

describe('a model that failed', () => {
  test('is known to the other sessions of the window', async () => {
    const made = world([quota, says('Done.')]);
    decideAlways(made.session, 'switch');
    await made.session.send('go');
    const other = made.agent.newSession();
    other.setModel('auto');
    made.model.answers.push(says('Here.'));
    await other.send('go');
    expect(askedModels(made)).toEqual(['strong', 'fast', 'fast']);
    expect(other.state.routed).toMatchObject({ model: 'fast', by: 'fallback' });
    await other.dispose();
  });

  test('is asked for again once its time has come, and is healthy with its answer', async () => {
    const clockless = { now: 0 };
    const availability = new ModelAvailability({ now: () => clockless.now });
    const made = world([quota, says('Done.'), verdict('strong'), busy, says('Back.')], {
      model: 'auto',
      mode: 'plan',
      availability,
    });
    decideAlways(made.session, 'switch');
    await made.session.send('go');
    clockless.now = 3_600_000;
    made.session.setMode('yolo');
    await made.session.send('continue');
    expect(askedModels(made)).toEqual(['strong', 'fast', 'fast', 'strong', 'strong']);
    expect(availability.healthOf('strong').status).toBe('healthy');
  });

  test('fails the turn as ever where nobody could take over', async () => {
    const made = world([quota], { models: {} });
    expect(await made.session.send('go')).toMatchObject({ kind: 'failed', trouble: { kind: 'quota' } });
    expect(of(made.events, 'model.asked')).toEqual([]);
  });

  test('for a reason of the key or the request asks nobody', async () => {
    for (const kind of ['auth', 'forbidden', 'badRequest', 'tooLarge', 'blocked'] as const) {
      const made = world([{ error: new ModelError(kind, () => 'No.', { retryable: false }) }], {
        model: 'auto',
        mode: 'plan',
      });
      expect(await made.session.send('go')).toMatchObject({ kind: 'failed', trouble: { kind } });
      expect(askedModels(made)).toEqual(['strong']);
    }
  });

  test('ends the turn when all have failed in it', async () => {
    const answers = Array.from({ length: 20 }, () => busy);
    const made = world(answers, { model: 'auto', mode: 'plan', maxAttempts: 4 });
    expect(await made.session.send('go')).toMatchObject({ kind: 'failed', trouble: { kind: 'overloaded' } });
    expect(askedModels(made)).toEqual([...Array(3).fill('strong'), ...Array(4).fill('fast')]);
  });
});

describe('a route', () => {
  test('is not waited for by a stop', async () => {
    const made = world([{ hang: true }], { model: 'auto' });
    const opened = first(made.session, 'message.added');
    const turn = made.session.send('go');
    await opened;
    await new Promise(resolve => setImmediate(resolve));
    expect(askedModels(made)).toEqual(['fast']);
    await made.session.stop();
    expect(await turn).toEqual({ kind: 'stopped' });
    expect(of(made.events, 'model.routed')).toEqual([]);
  });

  test('holds for all steps and for continuing, whatever is picked meanwhile', async () => {
    const read: ScriptedAnswer = {
      parts: [{ kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a' } }],
    };
    const broken: ScriptedAnswer = { error: new ModelError('badRequest', () => 'No.', { retryable: false }) };
    const made = world([verdict('fast'), read, broken, says('Done.')], { model: 'auto' });
    made.session.onEvent(({ type }) => {
      if (type !== 'call.requested') return;
      made.session.setMode('plan');
    });
    await made.session.send('go');
    await made.session.retry();
    expect(askedModels(made)).toEqual(['fast', 'fast', 'fast', 'fast']);
    expect(of(made.events, 'model.routed')).toMatchObject([{ by: 'classifier' }, { by: 'classifier' }]);
  });

  test('is kept over a restart for continuing', async () => {
    const broken: ScriptedAnswer = { error: new ModelError('badRequest', () => 'No.', { retryable: false }) };
    const made = world([verdict('fast'), broken], { model: 'auto' });
    await made.session.send('go');
    const next = world([says('Done.')], { model: 'auto' });
    next.store.journals.set('old', [...made.store.journals.get(made.session.id)!]);
    const again = await next.agent.openSession('old');
    await again.retry();
    expect(askedModels(next)).toEqual(['fast']);
    await again.dispose();
  });

  test('is made again when the user chose between', async () => {
    const broken: ScriptedAnswer = { error: new ModelError('badRequest', () => 'No.', { retryable: false }) };
    const made = world([verdict('fast'), broken, says('Done.')], { model: 'auto' });
    await made.session.send('go');
    made.session.setModel('mine');
    await made.session.retry();
    expect(askedModels(made)).toEqual(['fast', 'fast', 'mine']);
  });

  test('is not asked for by what steers a turn', async () => {
    const read: ScriptedAnswer = {
      parts: [{ kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a' } }],
    };
    const made = world([verdict('fast'), read, says('Done.')], { model: 'auto' });
    made.session.onEvent(({ type }) => {
      if (type === 'call.requested') void made.session.submitPrompt('Hurry', [], 'steer');
    });
    await made.session.send('go');
    expect(askedModels(made)).toEqual(['fast', 'fast', 'fast']);
  });

  test('counts what its question took, for the session and for no step', async () => {
    const made = world([verdict('fast'), says('Done.')], {
      model: 'auto',
      costOf: model => (model === 'fast' ? 0.25 : 1),
    });
    await made.session.send('go');
    expect(of(made.events, 'side.asked')).toMatchObject([{ purpose: 'route', model: 'fast', cost: 0.25 }]);
    expect(made.session.state.cost).toBe(0.5);
  });

  test('adds nothing to the requests of the agent', async () => {
    const [auto, chosen] = [
      world([verdict('strong'), says('Done.')], { model: 'auto' }),
      world([says('Done.')]),
    ];
    await auto.session.send('go');
    await chosen.session.send('go');
    const plain = (made: World) => JSON.stringify({ ...made.model.requests.at(-1), signal: undefined });
    expect(plain(auto)).toBe(plain(chosen));
  });
});

describe('auto without a name', () => {
  class Listing extends ScriptedModel {
    readonly infos: readonly ModelInfo[];
    constructor(answers: readonly ScriptedAnswer[], ids: readonly string[]) {
      super(answers);
      this.infos = ids.map(id => ({ id, label: id, contextLimit: 1000 }));
    }
    override async listModels(): Promise<readonly ModelInfo[]> {
      return this.infos;
    }
  }

  test('is the first model of the list, and says so', async () => {
    const provider = new Listing([says('Done.')], ['local', 'other']);
    const made = world([], { provider, model: 'auto', models: {} });
    await made.session.send('go');
    expect(provider.requests.map(({ model }) => model)).toEqual(['local']);
    expect(made.session.state.routed).toMatchObject({
      model: 'local',
      by: 'default',
      reason: expect.stringMatching(/first model/),
    });
  });

  test('fails with a sentence where nothing is listed, or the list cannot be had', async () => {
    const empty = world([], { provider: new Listing([], []), model: 'auto', models: {} });
    expect(await empty.session.send('go')).toMatchObject({
      kind: 'failed',
      trouble: { kind: 'notFound', remedy: 'selectModel' },
    });
    const provider = new Listing([], []);
    provider.listModels = async () => {
      throw new ModelError('network', () => 'The server is not there.', { retryable: true });
    };
    const away = world([], { provider, model: 'auto', models: {} });
    expect(await away.session.send('go')).toMatchObject({
      kind: 'failed',
      trouble: { message: 'The server is not there.' },
    });
  });
});

test('an answer costs what the model takes that gave it', async () => {
  const made = world([busy, busy, busy, says('Done.')], {
    model: 'auto',
    mode: 'plan',
    costOf: (model: string) => (model === 'fast' ? 1 : 8),
  });
  await made.session.send('go');
  expect(of(made.events, 'step.ended')).toMatchObject([{ cost: 1 }]);
});

test('a cheap model checks who is next, and the working one when the cheap one is out', async () => {
  const cheap = { ...models, cheap: 'lite' };
  const next = says('{"next": "user"}');
  const made = world([says('Now I will.'), next, says('Now I will.'), next], {
    models: cheap,
    nextSpeakerCheck: true,
  });
  await made.session.send('go');
  expect(askedModels(made)).toEqual(['strong', 'lite']);
  const availability = new ModelAvailability({ now: () => 0 });
  availability.markOut('lite', 'terminal', new ModelError('quota', () => 'No quota.', { retryable: false }));
  const without = world([says('Now I will.'), next], { models: cheap, nextSpeakerCheck: true, availability });
  await without.session.send('go');
  expect(askedModels(without)).toEqual(['strong', 'strong']);
});

test('a light model that is not there is left alone, and the working one answers in its place', async () => {
  const gone: ScriptedAnswer = {
    error: new ModelError('notFound', () => 'No such model.', { retryable: false }),
  };
  const next = says('{"next": "user"}');
  const light = { ...models, lightOf: () => 'lite' };
  const answers = [says('Now I will.'), gone, next, says('Now I will.'), next];
  const made = world(answers, { models: light, nextSpeakerCheck: true });
  await made.session.send('go');
  expect(askedModels(made)).toEqual(['strong', 'lite', 'strong']);
  await made.session.send('continue');
  expect(askedModels(made).slice(3)).toEqual(['strong', 'strong']);
});
