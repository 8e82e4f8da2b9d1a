/* Descriptions of a model for the person's choice. */

import type { ModelChoice, ModelPrice } from '../panel/messages.ts';

/** `1M tokens of context · $0.30 in · $2.50 out per million`, or `price unknown`. */
export function describeModel({ contextLimit, price }: Pick<ModelChoice, 'contextLimit' | 'price'>): string {
  const size = `${describeLimit(contextLimit)} tokens of context`;
  return `${size} · ${price ? describePrice(price) : 'price unknown'}`;
}

/** As services say it: 131,072 is 128k, 200,000 is 200k. */
export function describeLimit(tokens: number): string {
  const thousand = Number.isInteger(Math.log2(tokens)) ? 1024 : 1000;
  if (tokens < thousand) return String(tokens);
  const thousands = Math.round(tokens / thousand);
  if (thousands < 1000) return `${thousands}k`;
  return `${Number((tokens / thousand ** 2).toFixed(1))}M`;
}

function describePrice({ input, output }: ModelPrice): string {
  return `${dollars(input)} in · ${dollars(output)} out per million`;
}

/** Cheap models cost tenths of a cent. */
function dollars(amount: number): string {
  return `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 3 })}`;
}

interface Costs {
  readonly usage: { readonly prompt: number };
  readonly cost?: number;
  readonly unpriced?: true;
}

/** Said where a session's cost stands and nobody knows all of it; `undefined` where every price is known. */
export function describeUncounted({ usage, cost, unpriced }: Costs): string | undefined {
  const way = 'The setting folio.prices can give one.';
  if (unpriced) return `Limits in dollars leave out the answers of models without a known price. ${way}`;
  if (cost !== undefined || usage.prompt === 0) return undefined;
  return `Limits in dollars do not count here, as no price is known. ${way}`;
}
