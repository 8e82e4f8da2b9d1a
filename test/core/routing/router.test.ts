import { describe, expect, test } from 'vitest';
import { attemptsFor, fallbackAction } from '../../../src/extension/core/routing/fallbackPolicy.ts';
import {
  currentTurnModel,
  fallbackCandidates,
  type ModelRoles,
  modelRoles,
  sideModel,
} from '../../../src/extension/core/routing/modelRoles.ts';
import { findRoute, type RouteFacts } from '../../../src/extension/core/routing/router.ts';
import type { ModelFailureKind } from '../../../src/protocol/routing.ts';

const chain: ModelRoles = { strong: 'strong', fast: 'fast', others: ['third'] };
const approved = { path: '/plan.md', title: 'Plan', approved: true };

interface Case {
  readonly choice?: string;
  readonly mode?: RouteFacts['mode'];
  readonly plan?: RouteFacts['plan'];
  readonly chain?: ModelRoles;
  readonly out?: readonly string[];
  readonly verdict?: 'strong' | 'fast';
}

/** The route, and whether a model was asked about the prompt. */
async function routeOf({ choice = 'auto', mode = 'default', plan, verdict, out = [], ...more }: Case) {
  let asked = false;
  const route = await findRoute({
    choice,
    mode,
    plan,
    chain: more.chain ?? chain,
    isAvailable: model => !out.includes(model),
    classify: async () => {
      asked = true;
      return verdict && { model: verdict, why: 'Because.' };
    },
  });
  return { model: route.model, by: route.by, asked };
}

const table: readonly (readonly [string, Case, string, string, boolean])[] = [
  ['a choice holds', { choice: 'mine', mode: 'plan', plan: approved }, 'mine', 'choice', false],
  ['a choice holds while it is out', { choice: 'mine', out: ['mine'] }, 'mine', 'choice', false],
  ['plan mode takes the strong model', { mode: 'plan', verdict: 'fast' }, 'strong', 'mode', false],
  ['plan mode goes before an approved plan', { mode: 'plan', plan: approved }, 'strong', 'mode', false],
  ['an approved plan takes the fast model', { plan: approved, verdict: 'strong' }, 'fast', 'mode', false],
  ['a plan that waits decides nothing', { plan: { path: '/p', title: 'P' } }, 'strong', 'default', true],
  [
    'a plan that was sent back decides nothing',
    { plan: { ...approved, approved: false } },
    'strong',
    'default',
    true,
  ],
  ['a verdict for the fast model holds', { verdict: 'fast' }, 'fast', 'classifier', true],
  ['a verdict for the strong model holds', { verdict: 'strong' }, 'strong', 'classifier', true],
  ['without a verdict the strong model works', {}, 'strong', 'default', true],
  ['the strong model out leaves the fast one', { out: ['strong'], mode: 'plan' }, 'fast', 'fallback', false],
  ['the fast model out leaves the strong one', { out: ['fast'], plan: approved }, 'strong', 'default', false],
  ['both out leave a third', { out: ['strong', 'fast'] }, 'third', 'fallback', false],
  [
    'all out leave the strong one to say why',
    { out: ['strong', 'fast', 'third'] },
    'strong',
    'default',
    false,
  ],
  [
    'one model alone is not asked about',
    { chain: { strong: 'one', fast: 'one', others: [] }, verdict: 'fast' },
    'one',
    'default',
    false,
  ],
];

describe('a turn begins', () => {
  for (const [what, facts, model, by, asked] of table) {
    test(what, async () => expect(await routeOf(facts)).toEqual({ model, by, asked }));
  }
});

describe('the chain of models', () => {
  const own = { strong: 'pro', fast: 'flash' };
  const empty = { strong: '', fast: '', cheap: '', fallback: '' };

  test('is what the provider recommends where nothing is named', () => {
    expect(modelRoles(empty, own)).toEqual({ strong: 'pro', fast: 'flash', others: [] });
  });

  test('keeps what the provider recommends behind what a user named', () => {
    const named = { ...empty, strong: 'best', cheap: 'lite' };
    expect(modelRoles(named, own)).toEqual({ strong: 'best', fast: 'flash', cheap: 'lite', others: ['pro'] });
  });

  test('has one model for both where only one is named', () => {
    expect(modelRoles({ ...empty, strong: 'local' }, undefined)).toEqual({
      strong: 'local',
      fast: 'local',
      others: [],
    });
    expect(modelRoles(empty, undefined)).toEqual({ strong: '', fast: '', others: [] });
  });

  test('names each candidate once, the failed one first', () => {
    expect(fallbackCandidates('fast', chain)).toEqual(['fast', 'strong', 'third']);
    expect(fallbackCandidates('mine', chain)).toEqual(['mine', 'strong', 'fast', 'third']);
    expect(fallbackCandidates('mine', { strong: '', fast: '', others: [] })).toEqual(['mine']);
    const covered = { ...chain, fallback: 'openai:gpt' };
    expect(fallbackCandidates('mine', covered)).toEqual(['mine', 'openai:gpt', 'strong', 'fast', 'third']);
    expect(fallbackCandidates('openai:gpt', covered)).toEqual(['openai:gpt', 'strong', 'fast', 'third']);
  });
});

describe('the working model', () => {
  const routed = { turnId: 't1', model: 'fast', by: 'classifier' } as const;
  const working = (turnId: string) => ({ status: 'working', turnId, since: 0 }) as const;

  test('is the route of the turn that runs, also while the user chooses', () => {
    const failure = { model: 'fast', kind: 'terminal', message: 'Out.' } as const;
    expect(currentTurnModel({ model: 'auto', routed, activity: working('t1') }, chain)).toBe('fast');
    const choosing = { status: 'choosing', turnId: 't1', since: 0, failure } as const;
    expect(currentTurnModel({ model: 'auto', routed, activity: choosing }, chain)).toBe('fast');
  });

  test('is not that of an older turn', () => {
    expect(currentTurnModel({ model: 'auto', routed, activity: working('t2') }, chain)).toBe('strong');
    expect(currentTurnModel({ model: 'auto', routed, activity: { status: 'resting' } }, chain)).toBe(
      'strong',
    );
    expect(currentTurnModel({ model: 'mine', routed, activity: { status: 'resting' } }, chain)).toBe('mine');
  });

  test('is the last known one where no strong one is named', () => {
    const unnamed = { strong: '', fast: '', others: [] };
    expect(currentTurnModel({ model: 'auto', routed, activity: { status: 'resting' } }, unnamed)).toBe(
      'fast',
    );
    expect(currentTurnModel({ model: 'auto', activity: { status: 'resting' } }, unnamed)).toBe('');
  });

  test('answers beside the conversation where no cheap one can', () => {
    const cheap = { ...chain, cheap: 'lite' };
    expect(sideModel('strong', cheap, { isAvailable: () => true })).toBe('lite');
    expect(sideModel('strong', cheap, { isAvailable: () => false })).toBe('strong');
    expect(sideModel('strong', chain, { isAvailable: () => true })).toBe('strong');
  });

  test('leaves answers beside the conversation to the light one that the provider has for it', () => {
    const lightOf = (model: string) => (model === 'strong' ? 'light' : undefined);
    const named = { strong: '', fast: '', cheap: '', fallback: '' };
    const light = modelRoles(named, { strong: 'strong', fast: 'fast', lightOf });
    expect(sideModel('strong', light, { isAvailable: () => true })).toBe('light');
    expect(sideModel('fast', light, { isAvailable: () => true })).toBe('fast');
    const own = modelRoles({ ...named, cheap: 'lite' }, { strong: 'strong', fast: 'fast', lightOf });
    expect(sideModel('strong', own, { isAvailable: () => true })).toBe('lite');
  });
});

describe('after a failure', () => {
  const kinds: readonly ModelFailureKind[] = ['terminal', 'transient', 'notFound', 'unknown'];
  const actions = (isAuto: boolean, interactive: boolean, isNamed = false) =>
    kinds.map(kind => fallbackAction(kind, { isAuto, isNamed, interactive }));

  test('auto asks unless it passes, and nobody is asked who is not there', () => {
    expect(actions(true, true)).toEqual(['ask', 'switch', 'ask', 'ask']);
    expect(actions(true, false)).toEqual(['switch', 'switch', 'switch', 'switch']);
  });

  test('a chosen model is never replaced without a word', () => {
    expect(actions(false, true)).toEqual(['ask', 'ask', 'ask', 'ask']);
    expect(actions(false, false)).toEqual(['fail', 'fail', 'fail', 'fail']);
  });

  test('a model that the user named for it continues unasked for one that is busy or has no quota', () => {
    expect(actions(false, true, true)).toEqual(['switch', 'switch', 'ask', 'ask']);
    expect(actions(false, false, true)).toEqual(['switch', 'switch', 'fail', 'fail']);
    expect(actions(true, true, true)).toEqual(['switch', 'switch', 'ask', 'ask']);
  });

  test('a model that another can stand in for gets fewer attempts', () => {
    const facts = { most: 10, isAuto: true, isCovered: false, isStrong: true, isShaky: false, hasNext: true };
    expect(attemptsFor(facts)).toBe(3);
    expect(attemptsFor({ ...facts, most: 2 })).toBe(2);
    expect(attemptsFor({ ...facts, isShaky: true })).toBe(1);
    expect(attemptsFor({ ...facts, isStrong: false })).toBe(10);
    expect(attemptsFor({ ...facts, hasNext: false, isShaky: true })).toBe(10);
    expect(attemptsFor({ ...facts, isAuto: false })).toBe(10);
    expect(attemptsFor({ ...facts, isAuto: false, isStrong: false, isCovered: true })).toBe(3);
  });
});
