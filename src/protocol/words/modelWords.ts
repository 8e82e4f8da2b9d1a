import { t } from '../language.ts';
import type { ModelChoice, ModelPrice } from '../panel/messages.ts';
import { formatMoney } from './numbers.ts';

/** Returns `1M tokens of context · $0.30 in · $2.50 out per million`, or with `price unknown`. */
export function describeModel({ contextLimit, price }: Pick<ModelChoice, 'contextLimit' | 'price'>): string {
  const size = t('{0} tokens of context', describeLimit(contextLimit));
  return `${size} · ${price ? describePrice(price) : t('price unknown')}`;
}

/** Formats a limit as services do: 131,072 as 128k, 200,000 as 200k. */
export function describeLimit(tokens: number): string {
  const thousand = Number.isInteger(Math.log2(tokens)) ? 1024 : 1000;
  if (tokens < thousand) return String(tokens);
  const thousands = Math.round(tokens / thousand);
  if (thousands < 1000) return `${thousands}k`;
  return `${Number((tokens / thousand ** 2).toFixed(1))}M`;
}

function describePrice({ input, output }: ModelPrice): string {
  return t('{0} in · {1} out per million', dollars(input), dollars(output));
}

/** Shows tenths of a cent, which cheap models cost. */
function dollars(amount: number): string {
  return formatMoney(amount, 3);
}

interface Costs {
  readonly usage: { readonly prompt: number };
  readonly cost?: number;
  readonly unpriced?: true;
}

/** Warns that limits in dollars ignore models without a price; `undefined` if every price is known. */
export function describeUnpriced({ usage, cost, unpriced }: Costs): string | undefined {
  if (unpriced) return t('Dollar limits ignore models without a known price. Set a price in folio.prices.');
  if (cost !== undefined || usage.prompt === 0) return undefined;
  return t('Dollar limits do not apply: no price is known for this model. Set one in folio.prices.');
}
