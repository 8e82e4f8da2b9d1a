import { expect, test } from 'vitest';
import type { PanelState } from '../../src/protocol/panel/panelState.ts';
import { findAutoRoute } from '../../src/protocol/routes.ts';
import type { RoutedBy } from '../../src/protocol/routing.ts';
import { emptySession } from '../../src/protocol/state.ts';
import { currentModel, modelLabel, whyRouted } from '../../src/webview/models/modelNames.ts';
import { shownState } from '../panel/journal.ts';

function session(model: string, by?: RoutedBy, more: Partial<PanelState> = {}): PanelState {
  const routed = by && { routed: { turnId: 't1', model: 'flash', by } };
  return { ...shownState(emptySession), model, ...routed, ...more };
}

const working = { activity: { status: 'working', turnId: 't1', since: 0 } } as const;

test('while a turn runs its own model counts, whatever was picked since', () => {
  expect(currentModel(session('pro', 'fallback', working))).toBe('flash');
  expect(currentModel(session('pro', 'classifier', working))).toBe('flash');
  const next = { activity: { ...working.activity, turnId: 't2' } };
  expect(currentModel(session('pro', 'fallback', next))).toBe('pro');
});

test('at rest it is what was chosen, and with Auto what that came to last', () => {
  expect(currentModel(session('pro', 'classifier'))).toBe('pro');
  expect(currentModel(session('auto', 'classifier'))).toBe('flash');
  expect(currentModel(session('auto', 'choice'))).toBe('auto');
  expect(currentModel(session('auto'))).toBe('auto');
});

test('only Auto has a choice of its own', () => {
  expect(findAutoRoute(session('pro', 'classifier'))).toBeUndefined();
  expect(findAutoRoute(session('auto', 'choice'))).toBeUndefined();
  expect(findAutoRoute(session('auto', 'mode'))).toMatchObject({ model: 'flash' });
});

test('the reason that was given wins over the general one', () => {
  const routed = { turnId: 't1', model: 'flash', by: 'classifier' } as const;
  expect(whyRouted({ ...routed, reason: 'It is a small edit.' })).toBe('It is a small edit.');
  expect(whyRouted(routed)).toBe('A fast model rated how hard the prompt is.');
});

test('a model that is not listed is named by its id', () => {
  const models = [{ id: 'flash', label: 'Flash', contextLimit: 1 }];
  expect([modelLabel('flash', models), modelLabel('x', models), modelLabel('x', undefined)]).toEqual([
    'Flash',
    'x',
    'x',
  ]);
});
