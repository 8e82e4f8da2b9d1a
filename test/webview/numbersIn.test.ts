import { expect, test } from 'vitest';
import { numbersIn } from '../../src/webview/transcript/answer/numbersIn.ts';

test('numbers of a column are read with signs, thousands, fractions and money', () => {
  expect(numbersIn(['1,204', '-3', '−2.5', '+7', '$12.50', '1,234,567.5'])).toEqual([
    1204, -3, -2.5, 7, 12.5, 1_234_567.5,
  ]);
  expect(numbersIn(['1.234,5', '0,75', '12,5'])).toEqual([1234.5, 0.75, 12.5]);
  expect(numbersIn(['~10 %', '9 %', '<1 %'])).toEqual([10, 9, 1]);
});

test('units of one kind are brought to one scale', () => {
  expect(numbersIn(['900 KB', '1.2 MB', '10 B'])).toEqual([900_000, 1_200_000, 10]);
  expect(numbersIn(['2 s', '150 ms', '1 min'])).toEqual([2, 0.15, 60]);
  expect(numbersIn(['1.5k', '900', '2M'])).toEqual([1500, 900, 2_000_000]);
});

test('a column that holds another text is no column of numbers', () => {
  expect(numbersIn(['1', 'two', '3'])).toBeUndefined();
  expect(numbersIn(['1.2.3-beta', '1.10.0'])).toBeUndefined();
  expect(numbersIn(['2026-11-29', '2026-01-02'])).toBeUndefined();
  expect(numbersIn(['3 px', '4 kg'])).toBeUndefined();
  expect(numbersIn(['', ''])).toBeUndefined();
});
