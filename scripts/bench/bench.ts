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
  /** The minimal loop, then Folio, then the requested peers. */
  readonly contestants: readonly Contestant[];
  /** Number of runs of each contestant for quick tasks. */
  readonly runs: number;
  /** Prints progress. */
  readonly say: (line: string) => void;
}

/**
 * Runs every contestant once as a warm-up, then alternately, so that a change of the machine's speed affects all.
 * Returns the results by contestant.
 */
export async function runAlternately<T>(
  { contestants, say }: BenchSetting,
  runs: number,
  measure: (who: Contestant) => Promise<T>,
): Promise<ReadonlyMap<Contestant, readonly T[]>> {
  const collected = new Map<Contestant, T[]>(contestants.map(who => [who, []]));
  for (let run = 0; run <= runs; run++) {
    say(run === 0 ? 'warming up' : `run ${run} of ${runs}`);
    for (const [who, samples] of collected) {
      const sample = await unlessPeerFails(who, say, () => measure(who));
      if (run > 0 && sample !== undefined) samples.push(sample);
    }
  }
  return new Map([...collected].filter(([, samples]) => samples.length > 0));
}

/** Reports and omits the failure of a peer. Any other failure ends the benchmark. */
export async function unlessPeerFails<T>(
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
