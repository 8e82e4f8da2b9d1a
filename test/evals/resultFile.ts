/* Results of a run of the evals as a file, so that runs with other models or on other days can be compared. */

import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { EvalModel } from './evalSession.ts';
import { type EvalResult, passesAmong } from './runEvals.ts';
import { type Spending, sumSpending } from './spending.ts';

const amount = z.number().nonnegative();

/** Of attempts; tokens as the provider counts them, money in US dollars and absent where no price is known. */
const measured = z.object({
  attempts: z.int().nonnegative(),
  passed: z.int().nonnegative(),
  /** Bounds of the share that passes, by Wilson at 95 %. */
  interval: z.tuple([z.number(), z.number()]),
  sent: amount,
  cached: amount,
  written: amount,
  cost: amount.optional(),
  seconds: amount,
});
export type Measured = z.infer<typeof measured>;

const format = z.object({
  format: z.literal('folio-evals'),
  version: z.literal(1),
  provider: z.string(),
  model: z.string(),
  /** ISO 8601. */
  date: z.string(),
  tasks: z.array(measured.extend({ name: z.string(), verdict: z.enum(['passed', 'failed', 'troubled']) })),
  all: measured,
});
export type ResultFile = z.infer<typeof format>;

/** An attempt that could not be made says nothing about the model, and counts for none. */
export function toResultFile(
  results: readonly EvalResult[],
  { provider, model }: Pick<EvalModel, 'provider' | 'model'>,
  date: Date,
): ResultFile {
  return {
    format: 'folio-evals',
    version: 1,
    provider,
    model,
    date: date.toISOString(),
    tasks: results.map(result => ({
      name: result.eval.name,
      verdict: result.verdict,
      ...measure([result]),
    })),
    all: measure(results),
  };
}

export async function writeResultFile(path: string, file: ResultFile): Promise<void> {
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

export async function readResultFile(path: string): Promise<ResultFile> {
  const parsed = format.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} holds no results of evals: ${z.prettifyError(parsed.error)}`);
}

/** The interval in which a share lies with 95 %, seen `passed` times of `attempts`. Nothing tried: all is possible. */
export function wilson(passed: number, attempts: number): [number, number] {
  if (attempts === 0) return [0, 1];
  const z95 = 1.96;
  const share = passed / attempts;
  const spread = z95 ** 2 / attempts;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z95 / (1 + spread)) * Math.sqrt((share * (1 - share) + spread / 4) / attempts);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function measure(results: readonly EvalResult[]): Measured {
  const attempts = results.flatMap(result => result.attempts);
  const outcomes = attempts.map(({ outcome }) => outcome).filter(({ kind }) => kind !== 'troubled');
  const passed = passesAmong(outcomes);
  const { sent, cached, written, cost }: Spending = sumSpending(attempts.map(({ spent }) => spent));
  return {
    attempts: outcomes.length,
    passed,
    interval: wilson(passed, outcomes.length),
    sent,
    cached,
    written,
    ...(cost === undefined ? {} : { cost }),
    seconds: attempts.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}
