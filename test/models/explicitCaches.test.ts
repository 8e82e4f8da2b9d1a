/* Why Folio makes no explicit caches of Gemini: the page's sum, done again with the prices of today. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PriceCalculator } from '../../src/extension/models/prices.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';

/** Dollars for a million tokens that are kept for an hour. */
const storage = { 'gemini-2.5-pro': 4.5, 'gemini-2.5-flash': 1 } as const;
const tokens = 100_000;

test('an explicit cache pays only where the own one misses four times an hour, as the page says', async () => {
  const page = await readFile(join(repositoryRoot, 'docs/models.md'), 'utf8');
  const models = Object.keys(storage) as readonly (keyof typeof storage)[];
  const listed = new PriceCalculator(() => ({}), { now: () => Date.parse('2026-11-25') }).withPrices(
    'gemini',
    models.map(id => ({ id })),
  );
  for (const [at, model] of models.entries()) {
    const { input, cached } = listed[at]!.price!;
    const hour = (tokens * storage[model]) / 1e6;
    const saved = (tokens * (input - cached!)) / 1e6;
    expect(Math.ceil(Number((hour / saved).toFixed(6))), model).toBe(4);
    expect(page).toContain(`$${hour.toFixed(2)}`);
    // Two digits that say something.
    expect(page).toContain(`$${saved.toFixed(saved < 0.1 ? 3 : 2)}`);
  }
  expect(page).toContain('pays only from the fourth miss of an hour');
});
