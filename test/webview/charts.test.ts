import { expect, test } from 'vitest';
import { axisOf } from '../../src/webview/figures/charts/chartView.tsx';
import { readChart } from '../../src/webview/figures/charts/readChart.ts';
import { findFigure } from '../../src/webview/figures/findFigure.ts';

const chart = (more: object) =>
  JSON.stringify({ labels: ['a', 'b'], series: [{ name: 'x', values: [1, 2] }], ...more });

test('a chart is read, and is one of bars unless it says otherwise', () => {
  expect(readChart(chart({ title: 'T', unit: 'ms' }))).toEqual({
    kind: 'bar',
    title: 'T',
    unit: 'ms',
    labels: ['a', 'b'],
    series: [{ name: 'x', values: [1, 2] }],
    isStacked: false,
  });
  expect(readChart(chart({ kind: 'line', series: [{ name: 'x', values: [null, 2] }] })).kind).toBe('line');
  expect(readChart('pie showData title Fruit\n  "Apples" : 3\n  "Pears" : 4.5')).toMatchObject({
    kind: 'pie',
    title: 'Fruit',
    labels: ['Apples', 'Pears'],
    series: [{ values: [3, 4.5] }],
  });
});

test('what is wrong with a chart is said', () => {
  const problems = [
    ['{ "labels": [', 'not valid JSON'],
    ['[]', '“labels”'],
    ['7', 'not a JSON object'],
    [chart({ kind: 'radar' }), '“kind”'],
    [chart({ labels: [] }), '“labels”'],
    [chart({ series: [{ values: [1, 'two'] }] }), '“values” of series 1'],
    [chart({ series: [{ values: [1] }] }), 'Series 1 has 1 values for 2 labels'],
    [chart({ kind: 'pie', series: [{ values: [1, -1] }] }), 'negative'],
    [chart({ series: Array.from({ length: 9 }, () => ({ values: [1, 2] })) }), 'at most'],
    ['pie\n"a" : many', 'pie needs lines'],
  ] as const;
  for (const [source, problem] of problems) expect(() => readChart(source), source).toThrow(problem);
});

test('bars begin at zero, and the axis has round numbers around all values', () => {
  const bars = readChart(chart({ series: [{ values: [230, 240] }] }));
  expect(axisOf(bars)).toMatchObject({ low: 0, high: 300 });
  const stacked = readChart(chart({ stacked: true, series: [{ values: [5, -2] }, { values: [4, -1] }] }));
  expect(axisOf(stacked)).toEqual({ low: -5, high: 10, ticks: [-5, 0, 5, 10] });
  const line = readChart(chart({ kind: 'line', series: [{ values: [1001, 1004] }] }));
  expect(axisOf(line)).toMatchObject({ low: 1001, high: 1004 });
  expect(axisOf(readChart(chart({ series: [{ values: [0, 0] }] }))).high).toBeGreaterThan(0);
});

test('a figure is a closed fence that stands for itself', () => {
  expect(findFigure('```mermaid\nflowchart TD\nA-->B\n```\n\n')).toEqual({
    kind: 'mermaid',
    code: 'flowchart TD\nA-->B',
  });
  expect(findFigure('~~~~ Chart\n{}\n~~~~')?.kind).toBe('chart');
  for (const open of [
    '```mermaid\nA',
    '```mermaid\nA\n``',
    '```mermaid\nA --> B ```',
    '```mermaidx\nA\n```',
    'x\n```mermaid\nA\n```',
    '```ts\nA\n```',
  ])
    expect(findFigure(open), open).toBeUndefined();
});
