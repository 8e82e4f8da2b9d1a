/*
 * Detects repeated calls in a turn: a cycle of one to five calls, five times in a row, with equal results. If only the
 * results differ (a growing file), or the cycle waits on purpose (polling), twice as many rounds are needed. For each
 * cycle length, it counts how many calls in a row equal the one that many calls earlier, so only the last five calls
 * are stored.
 */

import { hash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson.ts';

export interface LoopCall {
  readonly name: string;
  readonly args: unknown;
}

export interface CallLoop {
  readonly calls: readonly LoopCall[];
  readonly rounds: number;
  readonly sameResults: boolean;
  /** Equal for the same cycle, wherever it begins. */
  readonly key: string;
}

const maxCycleLength = 5;
const minRounds = 5;
/** A cycle that the model was told about is found again after fewer rounds. */
const minRoundsAgain = 3;

interface Made {
  readonly call: LoopCall;
  readonly key: string;
  readonly resultKey: string;
}

/** Calls in a row that equal the one a cycle earlier. */
interface Row {
  calls: number;
  withResults: number;
}

export class CallLoopDetector {
  /** The first finding since the last `settle`. */
  found: CallLoop | undefined;
  /** The newest last. */
  private made: Made[] = [];
  private rows = emptyRows();
  private readonly reported = new Set<string>();

  /** Call for a new turn. */
  reset(): void {
    this.settle();
    this.reported.clear();
  }

  /** Call after the model was told: counting starts again. */
  settle(): void {
    if (this.found) this.reported.add(this.found.key);
    this.found = undefined;
    this.made = [];
    this.rows = emptyRows();
  }

  add(call: LoopCall, resultText: string): void {
    const made = {
      call,
      key: keyOf(`${call.name}\n${canonicalJson(call.args)}`),
      resultKey: keyOf(resultText),
    };
    this.rows.forEach((row, index) => {
      const earlier = this.made.at(-1 - index);
      row.calls = earlier?.key === made.key ? row.calls + 1 : 0;
      row.withResults = row.calls > 0 && earlier?.resultKey === made.resultKey ? row.withResults + 1 : 0;
    });
    this.made = [...this.made, made].slice(-maxCycleLength);
    this.found ??= this.findLoop();
  }

  private findLoop(): CallLoop | undefined {
    for (const [index, row] of this.rows.entries()) {
      const length = index + 1;
      const circle = this.made.slice(-length);
      const key = [...new Set(circle.map(each => each.key))].sort().join(' ');
      const rounds = this.reported.has(key) ? minRoundsAgain : minRounds;
      const calls = circle.map(each => each.call);
      const hasRounds = (row: number, wanted: number) => row >= length * (wanted - 1);
      const rest = calls.some(isPause) ? rounds * 2 : rounds;
      if (hasRounds(row.withResults, rest)) return { calls, rounds: rest, sameResults: true, key };
      if (hasRounds(row.calls, rounds * 2)) return { calls, rounds: rounds * 2, sameResults: false, key };
    }
    return undefined;
  }
}

/** True for a command that waits before it checks again. */
function isPause({ args }: LoopCall): boolean {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined;
  return typeof command === 'string' && /\b(?:sleep|Start-Sleep|timeout \/t)\s+(?:-\w+\s+)?\d/i.test(command);
}

function emptyRows(): Row[] {
  return Array.from({ length: maxCycleLength }, () => ({ calls: 0, withResults: 0 }));
}

function keyOf(text: string): string {
  return hash('sha256', text, 'base64');
}
