/*
 * List prices of models in US dollars per million text tokens, with the source page of each service and its date.
 * Searches, audio and storage of explicit caches cost extra and are not counted.
 */

/** US dollars per million tokens. Thoughts are billed as output. */
export interface ListPrice {
  readonly input: number;
  readonly output: number;
  /** Price of cache reads as a share of `input`. Defaults to 0.1. */
  readonly cached?: number;
  /** Price of cache writes as a share of `input`. Defaults to 1. */
  readonly written?: number;
  /** Price of cache writes that last an hour, as a share of `input`. Defaults to `written`. */
  readonly writtenForAnHour?: number;
  readonly long?: LongPrompt;
  /** The price from this day (UTC) on. */
  readonly next?: readonly [day: string, price: ListPrice];
}

/** If the prompt has more tokens than `above`, the whole request is multiplied by these factors. */
interface LongPrompt {
  readonly above: number;
  readonly input: number;
  readonly output: number;
}

interface ServicePrices {
  readonly source: string;
  /** Date of the price page, as quoted in public. */
  readonly asOf: string;
  /** By model name without date, version number and `-preview`. */
  readonly models: Readonly<Record<string, ListPrice>>;
}

const longGemini: LongPrompt = { above: 200_000, input: 2, output: 1.5 };
const pro3: ListPrice = { input: 2, output: 12, long: longGemini };
/** Half price during the introduction. */
const newFlash: ListPrice = {
  input: 0.75,
  output: 3.75,
  next: ['2027-01-01', { input: 1.5, output: 7.5 }],
};

const gemini: ServicePrices = {
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
  asOf: '2026-10-07',
  models: {
    'gemini-3.8-flash': newFlash,
    'gemini-3.7-flash': newFlash,
    'gemini-3.6-flash': newFlash,
    'gemini-3.5-flash': { input: 1.5, output: 9 },
    'gemini-3.5-flash-lite': { input: 0.3, output: 2.5 },
    'gemini-3.1-pro': pro3,
    'gemini-3.1-flash-lite': { input: 0.25, output: 1.5 },
    'gemini-3-pro': pro3,
    'gemini-3-flash': { input: 0.5, output: 3 },
    'gemini-2.5-pro': { input: 1.25, output: 10, long: longGemini },
    'gemini-2.5-flash': { input: 0.3, output: 2.5 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
  },
};

/** Cache writes cost 25 % more for five minutes and 100 % more for an hour. */
const written = 1.25;
const kept = { written, writtenForAnHour: 2 };
const fable: ListPrice = { input: 10, output: 50, ...kept };
const fable51: ListPrice = { ...fable, cached: 0.025 };
const opus: ListPrice = { input: 5, output: 25, ...kept };
const oldOpus: ListPrice = { input: 15, output: 75, ...kept };
const sonnet: ListPrice = { input: 3, output: 15, ...kept };

const anthropic: ServicePrices = {
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  asOf: '2026-10-24',
  models: {
    'claude-fable-5-1': fable51,
    'claude-mythos-5-1': fable51,
    'claude-fable-5': fable,
    'claude-mythos-5': fable,
    'claude-opus-5-5': { input: 4, output: 20, cached: 0.05, ...kept },
    'claude-opus-5': opus,
    'claude-opus-4-8': opus,
    'claude-opus-4-7': opus,
    'claude-opus-4-6': opus,
    'claude-opus-4-5': opus,
    'claude-opus-4-1': oldOpus,
    'claude-opus-4-0': oldOpus,
    'claude-opus-4': oldOpus,
    'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.05, ...kept },
    'claude-sonnet-5': { input: 2, output: 10, ...kept },
    'claude-sonnet-4-6': sonnet,
    'claude-sonnet-4-5': sonnet,
    'claude-sonnet-4-0': sonnet,
    'claude-sonnet-4': sonnet,
    'claude-haiku-5-5': {
      input: 0.1,
      output: 0.5,
      ...kept,
      long: { above: 100_000, input: 5, output: 5 },
    },
    'claude-haiku-4-5': { input: 1, output: 5, ...kept },
  },
};

/** Announced on this date. */
const anthropicOfNovember: ServicePrices = {
  source: anthropic.source,
  asOf: '2026-11-10',
  models: { 'claude-fable-5-2': { input: 8, output: 40, cached: 0.025, ...kept } },
};

const long: LongPrompt = { above: 272_000, input: 2, output: 1.5 };
const gpt5: ListPrice = { input: 1.25, output: 10 };
const gpt52: ListPrice = { input: 1.75, output: 14 };
const sol: ListPrice = { input: 2, output: 10, cached: 0.05, written, long };

const openai: ServicePrices = {
  source: 'https://developers.openai.com/api/docs/pricing',
  asOf: '2026-11-18',
  models: {
    'gpt-6.2-astra': { input: 8, output: 40, cached: 0.05, written, long },
    'gpt-6.2-sol': sol,
    'gpt-6.1-sol': sol,
    'gpt-6.1-terra': { input: 1, output: 5, cached: 0.05, written, long },
    'gpt-6-astra': { input: 10, output: 50, written, long },
    'gpt-6-sol': { input: 2, output: 10, written, long },
    'gpt-6-luna': { input: 0.1, output: 0.5, written, long },
    'gpt-5.6-sol': { input: 5, output: 30, written, long },
    'gpt-5.6-terra': { input: 2, output: 12, written, long },
    'gpt-5.6-luna': { input: 0.2, output: 1.2, written, long },
    'gpt-5.5': { input: 5, output: 30, long },
    'gpt-5.4': { input: 2.5, output: 15, long },
    'gpt-5.4-mini': { input: 0.75, output: 4.5 },
    'gpt-5.4-nano': { input: 0.2, output: 1.25 },
    'gpt-5.3-codex': gpt52,
    'gpt-5.2-codex': gpt52,
    'gpt-5.2': gpt52,
    'gpt-5.1-codex-max': gpt5,
    'gpt-5.1-codex': gpt5,
    'gpt-5.1': gpt5,
    'gpt-5-codex': gpt5,
    'gpt-5': gpt5,
    'gpt-5-mini': { input: 0.25, output: 2 },
    'gpt-5-nano': { input: 0.05, output: 0.4 },
    'gpt-4.1': { input: 2, output: 8, cached: 0.25 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.25 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.25 },
    'gpt-4o': { input: 2.5, output: 10, cached: 0.5 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.5 },
    o3: { input: 2, output: 8, cached: 0.25 },
    'o4-mini': { input: 1.1, output: 4.4, cached: 0.25 },
  },
};

export const listPrices: readonly ServicePrices[] = [gemini, anthropicOfNovember, anthropic, openai];
