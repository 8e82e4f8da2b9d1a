import { messageOf } from '../../src/extension/base/errors.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { RunHeadless } from '../support/headlessProgram.ts';
import { type Eval, RunTrouble, type Verdict } from './eval.ts';
import { type EvalModel, inSession } from './evalSession.ts';
import { noSpending, type Spending, spendingOf } from './spending.ts';

export interface EvalResult {
  readonly eval: Eval;
  readonly attempts: readonly Attempt[];
  readonly verdict: 'passed' | 'failed' | 'troubled';
}

export interface Attempt {
  readonly outcome: Outcome;
  readonly spent: Spending;
  /** From the first prompt to the verdict. */
  readonly seconds: number;
  /** Of the chapters that it opened, in order. */
  readonly titles: readonly string[];
}

/** `failing`: it could not be tried, which says nothing about the model. */
export type Outcome = Verdict | { readonly kind: 'troubled'; readonly why: string };

export interface EvalRun {
  readonly evals: readonly Eval[];
  readonly model: EvalModel;
  /** Attempts at each: a model does not do the same twice. */
  readonly attempts: number;
  readonly say: (line: string) => void;
  /** Starts the agent; absent: in a process of its own. */
  readonly run?: RunHeadless;
}

/** One after the other, since keys have a limit of requests a minute. */
export async function runEvals({
  evals,
  model,
  attempts,
  say,
  run,
}: EvalRun): Promise<readonly EvalResult[]> {
  const results: EvalResult[] = [];
  for (const each of evals) {
    const made: Attempt[] = [];
    for (let number = 1; number <= attempts; number++) {
      const attempt = await attemptOnce(each, model, run);
      say(`${each.name}, ${number} of ${attempts}: ${describe(attempt.outcome)}`);
      made.push(attempt);
      // The next one would meet the same wrong key or missing network.
      if (attempt.outcome.kind === 'troubled') break;
    }
    results.push({ eval: each, attempts: made, verdict: classify(made.map(({ outcome }) => outcome)) });
  }
  return results;
}

/** Most attempts must pass. */
export function classify(outcomes: readonly Outcome[]): EvalResult['verdict'] {
  if (outcomes.some(({ kind }) => kind === 'troubled')) return 'troubled';
  return passesAmong(outcomes) > outcomes.length / 2 ? 'passed' : 'failed';
}

export function passesAmong(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ kind }) => kind === 'passed').length;
}

async function attemptOnce(each: Eval, model: EvalModel, run?: RunHeadless): Promise<Attempt> {
  const events: SessionEvent[] = [];
  const began = performance.now();
  const outcome = await tryOnce(each, model, heard => void events.push(...heard), run);
  const titles = events.flatMap(event => (event.type === 'chapter.started' ? event.title : []));
  const seconds = (performance.now() - began) / 1000;
  return { outcome, titles, seconds, spent: events.length === 0 ? noSpending : spendingOf(events) };
}

async function tryOnce(
  each: Eval,
  model: EvalModel,
  heard: (events: readonly SessionEvent[]) => void,
  run?: RunHeadless,
): Promise<Outcome> {
  try {
    return await inSession(each.files, model, each.attempt, heard, run);
  } catch (error) {
    if (error instanceof RunTrouble) return { kind: 'troubled', why: messageOf(error) };
    throw error;
  }
}

function describe(outcome: Outcome): string {
  return outcome.kind === 'passed' ? 'passed' : `${outcome.kind}, ${outcome.why}`;
}
