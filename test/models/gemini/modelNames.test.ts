import { expect, test } from 'vitest';
import {
  geminiPair,
  lightGeminiModel,
  resolveGeminiName,
} from '../../../src/extension/models/gemini/modelNames.ts';

test.each([
  ['pro', 'gemini-2.5-pro'],
  ['Flash', 'gemini-2.5-flash'],
  ['flash-lite', 'gemini-2.5-flash-lite'],
  ['gemini-pro', 'gemini-2.5-pro'],
  ['2.5-flash', 'gemini-2.5-flash'],
  ['3-pro', 'gemini-3-pro-preview'],
  ['gemini-3-flash', 'gemini-3-flash-preview'],
  ['3.1-flash-lite', 'gemini-3.1-flash-lite'],
  // Of a generation without a model of just that number the nearest one.
  ['3-flash-lite', 'gemini-3.1-flash-lite'],
  ['auto', 'auto'],
  ['auto-gemini-3', 'auto'],
])('%s stands for %s', (name, id) => {
  expect(resolveGeminiName(name, [])).toBe(id);
});

test.each(['gemini-2.5-pro', 'gemini-flash-latest', 'tuned-flash', 'gemini-9-pro', 'llama'])(
  '%s is taken for an id',
  name => {
    expect(resolveGeminiName(name, [])).toBe(name);
  },
);

test('of what the service lists a name stands for one that is there', () => {
  expect(resolveGeminiName('pro', ['gemini-4-pro', 'gemini-2.5-flash'])).toBe('gemini-4-pro');
  expect(resolveGeminiName('4-pro', ['gemini-4-pro-preview'])).toBe('gemini-4-pro-preview');
  expect(resolveGeminiName('flash', ['flash', 'gemini-2.5-flash'])).toBe('flash');
});

test('auto with a version chooses from that generation', () => {
  expect(geminiPair('auto')).toEqual({ strong: 'gemini-2.5-pro', fast: 'gemini-2.5-flash' });
  expect(geminiPair('auto-gemini-3')).toEqual({
    strong: 'gemini-3-pro-preview',
    fast: 'gemini-3-flash-preview',
  });
  expect(geminiPair('auto-gemini-7')).toEqual(geminiPair('auto'));
});

test.each([
  ['gemini-2.5-pro', 'gemini-2.5-flash'],
  ['gemini-3-pro-preview', 'gemini-3-flash-preview'],
  ['gemini-3.1-pro-preview', 'gemini-2.5-flash'],
  ['gemini-2.5-flash', undefined],
  ['gemini-2.5-flash-lite', undefined],
  ['mine', undefined],
])('beside %s a lighter one answers: %s', (model, light) => {
  expect(lightGeminiModel(model)).toBe(light);
});
