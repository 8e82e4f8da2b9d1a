/*
 * Detects an answer that repeats itself while it streams. A chunk of 50 characters must occur ten times in close
 * succession, with nearly the same text in between: "Updated a.ts as well." for many files shares chunks, but not the
 * text between them. Thresholds follow the reference agent.
 *
 * Prefix hashes of recent characters are stored, so that the hash of any range is one subtraction:  hash(from, to) =
 * sum(to) - sum(from) * base^(to - from).  Ends of equal chunks form a linked list, the newest first, as in LZ
 * compressors. Everything lies in ring buffers of numbers, so the cost per character is constant and streaming
 * allocates nothing.
 */

import { ProseExtractor } from './proseExtractor.ts';

export interface TextLoop {
  /** The repeated text; it may begin anywhere within a repetition. */
  readonly text: string;
  /** Characters of the answer before the repetition. */
  readonly from: number;
}

const chunkLength = 50;
const minReturns = 10;
const maxMeanDistance = 250;
const maxPeriods = 5;
/** Characters that are stored: a power of two, more than ten occurrences need. */
const historyLength = 4096;
const base = 0x9e3779b1;
/** Bits of a chunk's hash that select its bucket. */
const bucketBits = 13;

export class TextLoopDetector {
  found: TextLoop | undefined;
  /** Compared characters and ranges: a machine-independent measure of cost. */
  scans = 0;
  private readonly reader = new ProseExtractor({
    prose: code => this.addCode(code),
    broken: () => {
      this.start = this.length;
    },
  });
  private readonly powers = powersOf(base, historyLength);
  /** Ring buffers by position: the character, and the sum including it. */
  private readonly codes = new Uint16Array(historyLength);
  private readonly sums = new Uint32Array(historyLength);
  /** Ring buffers by end of chunk: its hash, and the previous position of the same bucket. */
  private readonly keys = new Uint32Array(historyLength);
  private readonly older = new Int32Array(historyLength);
  /** Ring buffers by position: the last counted occurrence (overlapping ones do not count), and the one before. */
  private readonly counted = new Int32Array(historyLength);
  private readonly before = new Int32Array(historyLength);
  private readonly newest = new Int32Array(1 << bucketBits);
  /** Ends of the latest occurrences, the newest first. */
  private readonly ends = new Int32Array(minReturns);
  /** Distinct texts between them, by length and hash. */
  private readonly distances = new Int32Array(maxPeriods);
  private readonly hashes = new Uint32Array(maxPeriods);
  private length = 0;
  /** Prose before this position is not compared, since other content interrupted it. */
  private start = 0;
  private seen = 0;

  /** Chunk boundaries do not matter. After a finding, input is ignored until `reset`. */
  add(delta: string): TextLoop | undefined {
    for (let index = 0; index < delta.length && !this.found; index++) {
      this.seen++;
      this.reader.read(delta.charCodeAt(index));
    }
    return this.found;
  }

  /** Call for a new answer, or after a call. */
  reset(): void {
    this.found = undefined;
    this.seen = 0;
    this.length = 0;
    this.start = 0;
    this.sums[0] = 0;
    this.newest.fill(0);
    this.reader.reset();
  }

  private addCode(code: number): void {
    this.scans++;
    if (this.found) return;
    const before = this.sums[slot(this.length)]!;
    this.codes[slot(this.length)] = code;
    this.length++;
    this.sums[slot(this.length)] = Math.imul(before, base) + code + 1;
    if (this.length - this.start >= chunkLength) this.addChunk();
  }

  private addChunk(): void {
    const here = slot(this.length);
    const key = this.hash(this.length - chunkLength, this.length);
    const bucket = Math.imul(key, 0x85ebca6b) >>> (32 - bucketBits);
    const last = this.findEqual(key, this.newest[bucket]!);
    this.keys[here] = key;
    this.older[here] = this.newest[bucket]!;
    this.newest[bucket] = this.length;
    const latest = last === 0 ? 0 : this.counted[slot(last)]!;
    const isRemembered = latest > 0 && this.isRemembered(latest);
    // Overlaps do not count, since otherwise 60 equal characters would be a finding.
    if (isRemembered && this.length - latest < chunkLength) {
      this.counted[here] = latest;
      return;
    }
    this.counted[here] = this.length;
    this.before[here] = isRemembered ? latest : 0;
    if (isRemembered && this.isLoop()) this.found = this.describe();
  }

  /** Returns the last position where this chunk ended; 0: not stored. */
  private findEqual(key: number, newest: number): number {
    for (let place = newest; this.isRemembered(place); place = this.older[slot(place)]!) {
      if (this.keys[slot(place)] === key) return place;
    }
    return 0;
  }

  private isRemembered(end: number): boolean {
    return end - this.start >= chunkLength && this.length - end < historyLength;
  }

  private isLoop(): boolean {
    const { ends } = this;
    ends[0] = this.length;
    for (let index = 1; index < minReturns; index++) {
      const end = this.before[slot(ends[index - 1]!)]!;
      if (!this.isRemembered(end)) return false;
      ends[index] = end;
    }
    if (this.length - ends[minReturns - 1]! > maxMeanDistance * (minReturns - 1)) return false;
    return this.differsLittle();
  }

  private differsLittle(): boolean {
    let periods = 0;
    for (let index = 1; index < minReturns; index++) {
      const [from, to] = [this.ends[index]!, this.ends[index - 1]!];
      this.scans++;
      const hash = this.hash(from, to);
      let known = 0;
      while (known < periods && (this.distances[known] !== to - from || this.hashes[known] !== hash)) known++;
      if (known === maxPeriods) return false;
      if (known < periods) continue;
      this.distances[periods] = to - from;
      this.hashes[periods] = hash;
      periods++;
    }
    return true;
  }

  private describe(): TextLoop {
    const codes: number[] = [];
    for (let at = this.ends[1]!; at < this.length; at++) codes.push(this.codes[slot(at)]!);
    const repeating = this.length - this.ends[minReturns - 1]! + chunkLength;
    return { text: String.fromCharCode(...codes), from: Math.max(0, this.seen - repeating) };
  }

  /** Hashes the characters from `from` up to, not including, `to`. */
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
