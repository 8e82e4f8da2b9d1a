import { randomFrom } from '../folders.ts';

const random = randomFrom(7);

/**
 * 2 MB in 20,000 chunks: headings, prose and code, so that what renders Markdown has real work, and in changing
 * words, so that nobody takes it for a model that repeats itself.
 */
export const longAnswer: readonly string[] = Array.from({ length: 20_000 }, (_, index) => chunk(index % 40));

function chunk(place: number): string {
  if (place === 0) return fill('\n\n## Part ', '\n\n');
  if (place === 20) return fill('\n\n```ts\n// ', '\n');
  if (place === 30) return fill('```\n\n- ', '\n');
  if (place > 20 && place < 30) return fill(`const value${random(1e6)} = '`, "';\n");
  return fill('**Sum** of `x` ', '. ');
}

function fill(start: string, end: string): string {
  let middle = '';
  while (middle.length < 100) middle += `${random(36 ** 6).toString(36)} `;
  return start + middle.slice(0, 100 - start.length - end.length) + end;
}

/** As long, in words that recur as those of tables do: what looks for repetition has most to do. */
export const recurringAnswer: readonly string[] = Array.from({ length: 20_000 }, (_, index) =>
  `| row ${index % 50} | value ${index % 7} | the same words again, as in a table or a list |`
    .padEnd(99)
    .concat('\n'),
);
