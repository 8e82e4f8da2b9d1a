import { messageOf } from '../../src/extension/base/errors.ts';
import { type Eval, RunTrouble, type Verdict } from './eval.ts';
import { type EvalModel, inSession } from './evalSession.ts';

export interface EvalResult {
  readonly eval: Eval;
  readonly attempts: readonly Attempt[];
  readonly verdict: 'passed' | 'failed' | 'troubled';
}

/** `troubled`: it could not be tried, which says nothing about the model. */
export type Attempt = Verdict | { readonly kind: 'troubled'; readonly why: string };

export interface EvalRun {
  readonly evals: readonly Eval[];
  readonly model: EvalModel;
  /** Attempts at each: a model does not do the same twice. */
  readonly attempts: number;
  readonly say: (line: string) => void;
}

/** One after the other, since keys have a limit of requests a minute. */
export async function runEvals({ evals, model, attempts, say }: EvalRun): Promise<readonly EvalResult[]> {
  const results: EvalResult[] = [];
  for (const each of evals) {
    const made: Attempt[] = [];
    for (let number = 1; number <= attempts; number++) {
      const attempt = await attemptOnce(each, model);
      say(`${each.name}, ${number} of ${attempts}: ${describe(attempt)}`);
      made.push(attempt);
      // The next one would meet the same wrong key or missing network.
      if (attempt.kind === 'troubled') break;
    }
    results.push({ eval: each, attempts: made, verdict: judge(made) });
  }
  return results;
}

/** Most attempts must pass. */
export function judge(attempts: readonly Attempt[]): EvalResult['verdict'] {
  if (attempts.some(({ kind }) => kind === 'troubled')) return 'troubled';
  const passes = attempts.filter(({ kind }) => kind === 'passed').length;
  return passes > attempts.length / 2 ? 'passed' : 'failed';
}

export function formatResults(results: readonly EvalResult[]): string {
  const rows = results.map(({ eval: { name, rule }, attempts, verdict }) => {
    const passes = attempts.filter(({ kind }) => kind === 'passed').length;
    return [name, verdict, `${passes} of ${attempts.length}`, rule];
  });
  const all = [['eval', 'verdict', 'passed', 'an attempt passes when'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map(cells => cells[column]!.length)));
  return all
    .map(cells =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function attemptOnce(each: Eval, model: EvalModel): Promise<Attempt> {
  try {
    return await inSession(each.files, model, each.attempt);
  } catch (error) {
    if (error instanceof RunTrouble) return { kind: 'troubled', why: messageOf(error) };
    throw error;
  }
}

function describe(attempt: Attempt): string {
  return attempt.kind === 'passed' ? 'passed' : `${attempt.kind}, ${attempt.why}`;
}
