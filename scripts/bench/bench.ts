import type { Contestant } from './contestants.ts';
import type { Measurement } from './statistics.ts';

/** One file in `benchmarks/` each. */
export interface Benchmark {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  readonly run: (setting: BenchSetting) => Promise<readonly Measurement[]>;
}

export interface BenchSetting {
  /** The minimal loop first, then Folio, then the peers that were asked for. */
  readonly contestants: readonly Contestant[];
  /** Runs of each contestant for what is quick to run. */
  readonly runs: number;
  /** Tells the user what is happening. */
  readonly say: (line: string) => void;
}

/**
 * Runs every contestant once unmeasured, then in turn, so that a machine that grows slower or faster meanwhile
 * does so for all. What a run yields is collected for each contestant.
 */
export async function inTurn<T>(
  { contestants, say }: BenchSetting,
  runs: number,
  measure: (who: Contestant) => Promise<T>,
): Promise<ReadonlyMap<Contestant, readonly T[]>> {
  const collected = new Map<Contestant, T[]>(contestants.map(who => [who, []]));
  for (let run = 0; run <= runs; run++) {
    say(run === 0 ? 'warming up' : `run ${run} of ${runs}`);
    for (const [who, samples] of collected) {
      const sample = await orNothing(who, say, () => measure(who));
      if (run > 0 && sample !== undefined) samples.push(sample);
    }
  }
  return new Map([...collected].filter(([, samples]) => samples.length > 0));
}

/** What a peer fails at is told and left out; a failure of anyone else ends the benchmark. */
export async function orNothing<T>(
  who: Contestant,
  say: BenchSetting['say'],
  measure: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await measure();
  } catch (error) {
    if (!who.peer) throw error;
    say(`left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
