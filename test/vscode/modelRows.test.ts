import { expect, test } from 'vitest';
import { type ModelPickerState, rowsOfModels } from '../../src/extension/vscode/features/models/modelRows.ts';
import type { ModelChoice } from '../../src/protocol/panel/messages.ts';

const pro: ModelChoice = {
  id: 'gemini-2.5-pro',
  label: 'Gemini 2.5 Pro',
  contextLimit: 1_048_576,
  price: { input: 1.25, cached: 0.125, output: 10 },
};
const flash: ModelChoice = { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextLimit: 200_000 };

const offer: ModelPickerState = {
  current: pro.id,
  provider: 'Gemini',
  models: [pro, flash],
  fallback: '',
  listing: { status: 'done' },
  typed: '',
};

function rows(more: Partial<ModelPickerState> = {}) {
  return rowsOfModels({ ...offer, ...more });
}

const words = (more: Partial<ModelPickerState> = {}) =>
  rows(more).map(row =>
    row.kind === 'separator' ? `— ${row.label}` : [row.label, row.description].join(' | '),
  );

const find = (id: string, more: Partial<ModelPickerState> = {}) =>
  rows(more).find(row => row.kind === 'row' && row.id === id);

test('Auto comes first, then the models of the provider, then what else can be done', () => {
  expect(words()).toEqual([
    'Auto | ',
    '— Gemini',
    'Gemini 2.5 Pro | now · gemini-2.5-pro',
    'Gemini 2.5 Flash | gemini-2.5-flash',
    '— ',
    '$(debug-step-over) When the model is busy… | ',
    '$(arrow-swap) Change the provider… | ',
    '$(refresh) List again | ',
  ]);
});

test('who continues when the model is busy stands where it is chosen', () => {
  const fallback = 'anthropic:claude-sonnet-4-6';
  expect(words({ fallback })).toContain(`$(debug-step-over) When the model is busy… | now · ${fallback}`);
});

test('a model says how much fits and what it costs, where that is known', () => {
  expect(find('model gemini-2.5-pro')).toMatchObject({
    detail: '1M tokens of context · $1.25 in · $10.00 out per million',
    choice: { kind: 'model', model: 'gemini-2.5-pro' },
  });
  expect(find('model gemini-2.5-flash')).toMatchObject({ detail: '200k tokens of context · price unknown' });
});

test('under Auto it is said which model that is', () => {
  const auto = { current: 'auto', routed: flash.id };
  expect(words(auto).slice(0, 3)).toEqual([
    'Auto | now · Gemini 2.5 Flash',
    '— Gemini',
    'Gemini 2.5 Pro | gemini-2.5-pro',
  ]);
  expect(words({ current: 'auto' })[0]).toBe('Auto | now');
  expect(words({ current: 'auto', routed: 'unlisted-1' })[0]).toBe('Auto | now · unlisted-1');
});

test('the model that is set is there though the list does not know it', () => {
  expect(words({ current: 'my-tune' })[2]).toBe('my-tune | now · not listed');
  expect(words({ current: 'my-tune' })).toHaveLength(words().length + 1);
});

test('before the list has come there is a word of it only where nothing is known yet', () => {
  expect(words({ listing: { status: 'running' } })).toEqual(words());
  expect(words({ listing: { status: 'running' }, models: [], current: 'auto' })[2]).toBe(
    '$(loading~spin) Asking for the models… | ',
  );
});

test('a list that failed says why, keeps the known models, and asks again when taken', () => {
  const listing = { status: 'failed', message: 'The key is refused.' } as const;
  expect(find('trouble', { listing })).toMatchObject({
    label: "$(warning) Couldn't list the models. These are known models",
    detail: 'The key is refused.',
    choice: { kind: 'refresh' },
  });
  expect(words({ listing })).toHaveLength(words().length + 1);
  expect(find('trouble', { listing, models: [] })).toMatchObject({
    label: "$(warning) Couldn't list the models. Type a model id",
  });
});

test('a server without models says so', () => {
  expect(find('trouble', { models: [] })).toMatchObject({ label: '$(info) No models are listed' });
  expect(find('trouble')).toBeUndefined();
});

test('an id that is not listed can be used, whatever fits what is typed', () => {
  expect(find('typed', { typed: ' qwen3-coder ' })).toMatchObject({
    label: "Use 'qwen3-coder'",
    always: true,
    choice: { kind: 'model', model: 'qwen3-coder' },
  });
});

test.for(['', '  ', 'gemini-2.5-pro', 'Gemini 2.5 Pro', 'gemini pro', 'Auto'])(
  '"%s" is no id to offer',
  typed => {
    expect(find('typed', { typed })).toBeUndefined();
  },
);
