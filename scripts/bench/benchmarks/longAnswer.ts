import { randomFrom } from '../folders.ts';

const random = randomFrom(7);

/**
 * 2 MB in 20,000 chunks of headings, prose and code, as real work for Markdown renderers. The words vary, so that loop
 * detection does not stop it.
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

/** An equally long answer with recurring words as in tables: the worst case for loop detection. */
export const recurringAnswer: readonly string[] = Array.from({ length: 20_000 }, (_, index) =>
  `| row ${index % 50} | value ${index % 7} | the same words again, as in a table or a list |`
    .padEnd(99)
    .concat('\n'),
);
