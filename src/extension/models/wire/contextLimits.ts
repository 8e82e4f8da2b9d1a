/*
 * Context sizes in tokens for services whose list does not report them: one row per kind of model, with source page and
 * date.
 */

interface ServiceLimits {
  readonly source: string;
  /** Date of the page. */
  readonly asOf: string;
  /** The first match counts. */
  readonly limits: readonly (readonly [models: RegExp, tokens: number])[];
}

const gemini: ServiceLimits = {
  source: 'https://ai.google.dev/gemini-api/docs/models',
  asOf: '2026-10-07',
  limits: [
    [/^gemini-/, 1_048_576],
    [/^gemma-4/, 256_000],
  ],
};

/** The same at Anthropic and in clouds. */
const anthropic: ServiceLimits = {
  source: 'https://platform.claude.com/docs/en/models/overview',
  asOf: '2026-11-10',
  limits: [
    [/^claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|preview))/, 1_000_000],
    [/^claude-/, 200_000],
  ],
};

/** The answer may take 128,000 tokens of a context of 1,050,000 or 400,000. */
const openai: ServiceLimits = {
  source: 'https://developers.openai.com/api/docs/models',
  asOf: '2026-11-18',
  limits: [
    [/^gpt-(?:5\.[4-6](?!.*-(?:mini|nano))|6)/, 922_000],
    [/^gpt-5/, 272_000],
    [/^gpt-4\.1/, 1_047_576],
    [/^gpt-4o/, 128_000],
    [/^o[134](?:-|$)/, 200_000],
  ],
};

export const contextLimits: readonly ServiceLimits[] = [gemini, anthropic, openai];

/** @param model the vendor's name for it */
export function findContextLimit(model: string): number | undefined {
  for (const { limits } of contextLimits) {
    const row = limits.find(([models]) => models.test(model));
    if (row) return row[1];
  }
  return undefined;
}
