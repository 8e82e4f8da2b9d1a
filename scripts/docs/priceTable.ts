import { type ListPrice, listPrices } from '../../src/extension/models/listPrices.ts';
import { code } from './markdown.ts';

/** Returns the list prices by service with their source, as input/cached/written/output. */
export function priceLists(): string {
  return listPrices
    .map(({ source, asOf, models }) => {
      const lines = groupsOf(models).map(([price, names]) => `- ${names.join(', ')}: ${price}`);
      return `By ${source} as of ${asOf}:\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

/** Groups models by price, in the order of the first of each group. */
function groupsOf(
  models: Readonly<Record<string, ListPrice>>,
): readonly (readonly [price: string, names: readonly string[]])[] {
  const groups = new Map<string, readonly string[]>();
  for (const [name, price] of Object.entries(models)) {
    const text = describe(price);
    groups.set(text, [...(groups.get(text) ?? []), code(name)]);
  }
  return [...groups];
}

function describe(price: ListPrice): string {
  const { input, output, cached = 0.1, written = 1, writtenForAnHour, long, next } = price;
  const remarks = [
    ...(writtenForAnHour ? [`hour ${dollars(input * writtenForAnHour)}`] : []),
    ...(long ? [`above ${long.above.toLocaleString('en')} ×${long.input}/×${long.output}`] : []),
    ...(next ? [`from ${next[0]} ${next[1].input}/${next[1].output}`] : []),
  ];
  const prices = [input, input * cached, input * written, output].map(dollars);
  return [prices.join('/'), ...remarks].join('; ');
}

/** Formats dollars without the rounding errors of products. */
function dollars(amount: number): string {
  return String(Number(amount.toFixed(6)));
}
