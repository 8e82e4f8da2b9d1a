import { languageTag } from '../language.ts';

export function formatNumber(value: number): string {
  return value.toLocaleString(languageTag());
}

/** Formats US dollars, the currency of all services: `$0.04`, `0,04 $`. Cheap models cost tenths of a cent. */
export function formatMoney(dollars: number, maxDigits = 2): string {
  return dollars.toLocaleString(languageTag(), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: maxDigits,
  });
}
