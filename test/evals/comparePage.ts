/* A page that shows two runs of the evals side by side. It holds all that it needs. */

import type { Measured, ResultFile } from './resultFile.ts';

export function comparePage(one: ResultFile, two: ResultFile): string {
  const names = [...new Set([...one.tasks, ...two.tasks].map(({ name }) => name))];
  const find = ({ tasks }: ResultFile, name: string) => tasks.find(each => each.name === name);
  const rows = names.map(name => row(name, find(one, name), find(two, name)));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Evals: ${text(one.model)} and ${text(two.model)}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .35rem .6rem; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
tfoot { font-weight: 600; }
.better { background: #2a92; }
small { display: block; opacity: .75; }
</style>
<h1>Evals side by side</h1>
<p>A share is marked as better where the two intervals (Wilson, 95 %) do not meet; others may differ by chance.</p>
<table>
<thead><tr><th>Task</th>${heading(one)}${heading(two)}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
<tfoot>${row('All', one.all, two.all)}</tfoot>
</table>
</html>
`;
}

function heading({ provider, model, date }: ResultFile): string {
  return `<th>${text(model)}<small>${text(provider)}, ${text(date.slice(0, 10))}</small></th>`;
}

function row(name: string, one: Measured | undefined, two: Measured | undefined): string {
  return `<tr><td>${text(name)}</td>${cell(one, two)}${cell(two, one)}</tr>`;
}

function cell(own: Measured | undefined, other: Measured | undefined): string {
  if (!own) return '<td>not run</td>';
  const { attempts, passed, interval, sent, cached, written, cost, seconds } = own;
  const [low, high] = interval.map(bound => Math.round(100 * bound));
  const isBetter = other !== undefined && interval[0] > other.interval[1];
  const tokens = (sent + cached + written).toLocaleString('en');
  const money = cost === undefined ? 'cost not known' : `$${cost.toFixed(4)}`;
  return `<td${isBetter ? ' class="better"' : ''}>${passed} of ${attempts}<small>${low} to ${high} %</small><small>${tokens} tokens, ${money}, ${seconds.toFixed(0)} s</small></td>`;
}

function text(words: string): string {
  return words.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
}
