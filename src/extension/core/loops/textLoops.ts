/*
 * Finds an answer that repeats itself while it streams. A chunk of 50 characters must come back ten times in close
 * succession, and the text between its returns must be nearly the same: "Updated a.ts as well." for many files
 * shares chunks, but never what stands between them. Thresholds follow the reference agent.
 *
 * Hashes of everything up to a place are kept for the newest characters, so that the hash of any stretch among them
 * is one subtraction:  hash(from, to) = sum(to) - sum(from) * base^(to - from).  Each character costs the same,
 * however long the answer.
 */

import { ProseReader } from './proseReader.ts';

export interface TextLoop {
  /** What comes again and again, begun anywhere in it. */
  readonly text: string;
  /** Characters of the answer before it began to repeat: what is worth keeping of it. */
  readonly from: number;
}

const chunkLength = 50;
const minReturns = 10;
const maxMeanDistance = 250;
const maxPeriods = 5;
/** Characters that are remembered; a power of two, more than ten returns need. */
const historyLength = 4096;
const base = 0x9e3779b1;

export class TextLoops {
  found: TextLoop | undefined;
  /** Characters and stretches looked at so far: the cost, in a unit that does not depend on the machine. */
  looks = 0;
  private readonly reader = new ProseReader({
    prose: code => this.addCode(code),
    broken: () => this.forgetAll(),
  });
  /** Rings: the characters, the sums up to and including them, the keys of the chunks that end with them. */
  private readonly codes = new Uint16Array(historyLength);
  private readonly sums = new Uint32Array(historyLength);
  private readonly keys = new Uint32Array(historyLength);
  private readonly powers = powersOf(base, historyLength);
  /** Where a chunk ended, by its key: the newest returns, none of them overlapping. */
  private readonly ends = new Map<number, number[]>();
  private length = 0;
  private seen = 0;

  /** Chunks that are remembered; never more than the history's characters. */
  get remembered(): number {
    return this.ends.size;
  }

  /** How deltas cut the answer makes no difference. After a finding nothing is read until `reset`. */
  add(delta: string): TextLoop | undefined {
    for (let index = 0; index < delta.length && !this.found; index++) {
      this.seen++;
      this.reader.read(delta.charCodeAt(index));
    }
    return this.found;
  }

  /** Another answer begins, or a call stands in between. */
  reset(): void {
    this.found = undefined;
    this.seen = 0;
    this.reader.reset();
    this.forgetAll();
  }

  private forgetAll(): void {
    if (this.length === 0) return;
    this.length = 0;
    this.sums[0] = 0;
    this.ends.clear();
  }

  private addCode(code: number): void {
    this.looks++;
    if (this.found) return;
    const before = this.sums[slot(this.length)]!;
    this.codes[slot(this.length)] = code;
    this.length++;
    this.sums[slot(this.length)] = Math.imul(before, base) + code + 1;
    this.forgetOldest();
    if (this.length < chunkLength) return;
    const key = this.hash(this.length - chunkLength, this.length);
    this.keys[slot(this.length)] = key;
    this.addReturn(key);
  }

  /** The chunk whose slot is about to be used again. */
  private forgetOldest(): void {
    const oldest = this.length - historyLength;
    if (oldest < chunkLength) return;
    const key = this.keys[slot(oldest)]!;
    const ends = this.ends.get(key);
    if (ends?.[0] !== oldest) return;
    if (ends.length === 1) this.ends.delete(key);
    else ends.shift();
  }

  private addReturn(key: number): void {
    const ends = this.ends.get(key);
    if (!ends) {
      this.ends.set(key, [this.length]);
      return;
    }
    // Overlapping returns would make a row of 60 equal characters an alarm.
    if (this.length - ends.at(-1)! < chunkLength) return;
    ends.push(this.length);
    if (ends.length > minReturns) ends.shift();
    if (ends.length === minReturns && this.isLoop(ends)) this.found = this.describe(ends);
  }

  private isLoop(ends: readonly number[]): boolean {
    if ((ends.at(-1)! - ends[0]!) / (ends.length - 1) > maxMeanDistance) return false;
    const periods = new Set<string>();
    for (let index = 1; index < ends.length; index++) {
      const [from, to] = [ends[index - 1]!, ends[index]!];
      this.looks++;
      periods.add(`${to - from} ${this.hash(from, to)}`);
    }
    return periods.size <= maxPeriods;
  }

  private describe(ends: readonly number[]): TextLoop {
    const codes: number[] = [];
    for (let at = ends.at(-2)!; at < ends.at(-1)!; at++) codes.push(this.codes[slot(at)]!);
    const repeating = this.length - ends[0]! + chunkLength;
    return { text: String.fromCharCode(...codes), from: Math.max(0, this.seen - repeating) };
  }

  /** Of the characters `from` up to, not including, `to`. */
  private hash(from: number, to: number): number {
    return (this.sums[slot(to)]! - Math.imul(this.sums[slot(from)]!, this.powers[to - from]!)) >>> 0;
  }
}

function slot(place: number): number {
  return place & (historyLength - 1);
}

function powersOf(number: number, count: number): Uint32Array {
  const powers = new Uint32Array(count).fill(1);
  for (let index = 1; index < count; index++) powers[index] = Math.imul(powers[index - 1]!, number);
  return powers;
}
