import { type ListPrice, listPrices } from '../../src/extension/models/listPrices.ts';
import { code, markdownTable } from './markdown.ts';

/** The list prices of every service, each below its source. */
export function priceTable(): string {
  return listPrices
    .map(({ source, asOf, models }) => {
      const rows = Object.entries(models).map(([name, price]) => rowOf(name, price));
      const heads = ['model', 'input', 'cached', 'kept in the cache', 'output', ''];
      return `By ${source} as of ${asOf}:\n\n${markdownTable(heads, rows)}`;
    })
    .join('\n\n');
}

function rowOf(name: string, price: ListPrice): readonly string[] {
  const { input, output, cached = 0.1, written = 1, writtenForAnHour, long, next } = price;
  const remarks = [
    ...(long
      ? [`above ${long.above.toLocaleString('en')}: input ×${long.input}, output ×${long.output}`]
      : []),
    ...(writtenForAnHour ? [`1-hour cache: ${dollars(input * writtenForAnHour)}`] : []),
    ...(next ? [`from ${next[0]}: ${next[1].input} and ${next[1].output}`] : []),
  ];
  const prices = [input, input * cached, input * written, output];
  return [code(name), ...prices.map(dollars), remarks.join('; ')];
}

/** Products of shares have digits that nobody wrote. */
function dollars(amount: number): string {
  return String(Number(amount.toFixed(6)));
}
