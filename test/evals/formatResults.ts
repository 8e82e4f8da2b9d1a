import { type EvalResult, passesAmong } from './runEvals.ts';
import { type Spending, sumSpending } from './spending.ts';

/** A table of the evals with a last line for all, and below it the titles that chapters got. */
export function formatResults(results: readonly EvalResult[]): string {
  const rows = results.map(result => [result.eval.name, result.verdict, ...numbersOf([result])]);
  const passes = results.filter(({ verdict }) => verdict === 'passed').length;
  const all = ['all', `${passes} of ${results.length}`, ...numbersOf(results)];
  return [...writeTable([heading, ...rows, all]), '', ...writeTitles(results)].join('\n').trimEnd();
}

const heading = ['eval', 'verdict', 'attempts passed', 'titles', 'sent', 'cached', 'written', 'cost'];

function numbersOf(results: readonly EvalResult[]): readonly string[] {
  const attempts = results.flatMap(result => result.attempts);
  const passes = passesAmong(attempts.map(({ outcome }) => outcome));
  const share = attempts.length === 0 ? 0 : Math.round((100 * passes) / attempts.length);
  const titles = attempts.flatMap(attempt => attempt.titles).length;
  return [
    `${passes} of ${attempts.length} (${share} %)`,
    String(titles),
    ...describeSpending(sumSpending(attempts.map(({ spent }) => spent))),
  ];
}

function describeSpending({ sent, cached, written, cost }: Spending): readonly string[] {
  const tokens = [sent, cached, written].map(count => count.toLocaleString('en'));
  return [...tokens, cost === undefined ? 'not known' : `$${cost.toFixed(4)}`];
}

function writeTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = heading.map((_, column) => Math.max(...rows.map(cells => cells[column]!.length)));
  return rows.map(cells =>
    cells
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** An attempt a line: whether the topics are told apart is for a user to see. */
function writeTitles(results: readonly EvalResult[]): readonly string[] {
  const lines = results.flatMap(result =>
    result.attempts
      .filter(({ titles }) => titles.length > 0)
      .map(({ titles }) => `  ${result.eval.name}: ${titles.join(' · ')}`),
  );
  return lines.length === 0 ? [] : ['Titles given:', ...lines];
}
