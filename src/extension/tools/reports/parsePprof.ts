/*
 * Profiles in pprof format, as written by Go, Rust, Python and JVM profilers: a protocol buffer, usually compressed.
 * Field numbers from github.com/google/pprof, proto/profile.proto.
 */

import { type Profile, type ProfiledFunction, ReportError } from './report.ts';

type Field = readonly [number: number, value: number | Uint8Array];

const broken = 'It is no complete profile: its program may not have ended. Make it again.';

/**
 * @returns `undefined` if the file only has such a name
 * @param limit in bytes, after decompression
 */
export async function parsePprof(
  bytes: Uint8Array,
  limit: number,
  signal: AbortSignal,
): Promise<Profile | undefined> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // An uncompressed profile begins with its sample types.
  if (!isPacked && bytes[0] !== 0x0a) return undefined;
  const plain = isPacked ? await unpack(bytes, limit, signal) : bytes;
  const profile = new Pprof();
  for (const field of fieldsOf(plain)) profile.take(field);
  return profile.sum();
}

class Pprof {
  private readonly types: (readonly [type: number, unit: number])[] = [];
  private readonly samples: Uint8Array[] = [];
  /** Lines of each location, innermost function first. */
  private readonly locations = new Map<number, readonly (readonly [functionId: number, line: number])[]>();
  private readonly functions = new Map<number, { name: number; file: number; line: number }>();
  private readonly strings: string[] = [];
  private usual = 0;

  take([number, value]: Field): void {
    if (number === 14 && typeof value === 'number') this.usual = value;
    if (typeof value === 'number') return;
    const numbers = () => new Map(fieldsOf(value).filter(isNumber));
    switch (number) {
      case 1:
        this.types.push([numbers().get(1) ?? 0, numbers().get(2) ?? 0]);
        return;
      case 2:
        this.samples.push(value);
        return;
      case 4: {
        const lines = fieldsOf(value).flatMap(([id, line]) => {
          if (id !== 4 || typeof line === 'number') return [];
          const at = new Map(fieldsOf(line).filter(isNumber));
          return [[at.get(1) ?? 0, at.get(2) ?? 0] as const];
        });
        this.locations.set(numbers().get(1) ?? 0, lines);
        return;
      }
      case 5: {
        const given = numbers();
        const place = { name: given.get(2) ?? 0, file: given.get(4) ?? 0, line: given.get(5) ?? 0 };
        this.functions.set(given.get(1) ?? 0, place);
        return;
      }
      case 6:
        this.strings.push(new TextDecoder().decode(value));
    }
  }

  /** Uses the last sample type by default, as pprof does. */
  sum(): Profile | undefined {
    if (this.types.length === 0 || this.strings.length === 0) return undefined;
    const named = this.types.findIndex(([type]) => this.usual !== 0 && type === this.usual);
    const column = named < 0 ? this.types.length - 1 : named;
    const [type, unit] = this.types[column]!;
    const scale = scales[this.strings[unit] ?? ''] ?? 1;
    const sums = new Map<number, { self: number; total: number; line: number }>();
    let total = 0;
    for (const sample of this.samples) {
      const fields = fieldsOf(sample);
      const value = (numbersIn(fields, 2)[column] ?? 0) * scale;
      total += value;
      const seen = new Set<number>();
      for (const [functionId, line] of numbersIn(fields, 1).flatMap(id => this.locations.get(id) ?? [])) {
        const sum = sums.get(functionId) ?? { self: 0, total: 0, line };
        sums.set(functionId, sum);
        if (seen.size === 0) sum.self += value;
        // Recursion counts once.
        if (!seen.has(functionId)) sum.total += value;
        seen.add(functionId);
      }
    }
    const functions = [...sums].map(([id, sum]) => this.describe(id, sum));
    const measure = (this.strings[unit] ?? '') in scales ? 'microseconds' : unitOf(this.strings[unit] ?? '');
    return { format: 'pprof', measure, of: this.strings[type] ?? '', total, functions };
  }

  private describe(id: number, sum: { self: number; total: number; line: number }): ProfiledFunction {
    const { name, file, line } = this.functions.get(id) ?? { name: 0, file: 0, line: 0 };
    const path = this.strings[file] ?? '';
    return { name: this.strings[name] || '(unknown)', path, ...sum, line: line || sum.line };
  }
}

/** Microseconds per unit of time. */
const scales: Readonly<Record<string, number>> = {
  nanoseconds: 0.001,
  microseconds: 1,
  milliseconds: 1_000,
  seconds: 1_000_000,
};

function unitOf(unit: string): Profile['measure'] {
  return unit === 'bytes' ? 'bytes' : 'count';
}

function isNumber(field: Field): field is readonly [number, number] {
  return typeof field[1] === 'number';
}

/** Returns repeated numbers, packed or not. */
function numbersIn(fields: readonly Field[], number: number): readonly number[] {
  return fields.flatMap(([id, value]) => {
    if (id !== number) return [];
    return typeof value === 'number' ? [value] : varintsIn(value);
  });
}

function varintsIn(bytes: Uint8Array): readonly number[] {
  const reader = new Reader(bytes);
  const found: number[] = [];
  while (!reader.isAtEnd) found.push(reader.varint());
  return found;
}

function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const reader = new Reader(bytes);
  const found: Field[] = [];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) found.push([number, reader.varint()]);
    else if (type === 2) found.push([number, reader.bytes(reader.varint())]);
    else if (type === 1 || type === 5) reader.bytes(type === 1 ? 8 : 4);
    else throw new ReportError(broken);
  }
  return found;
}

class Reader {
  private readonly given: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.given = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.given.length;
  }

  /** Negative numbers, such as freed allocations, count as 0. */
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.given[this.at++];
      if (byte === undefined || factor > 2 ** 63) throw new ReportError(broken);
      value += (byte & 127) * factor;
      if (byte < 128) return value >= 2 ** 63 ? 0 : value;
    }
  }

  bytes(length: number): Uint8Array {
    if (this.at + length > this.given.length) throw new ReportError(broken);
    this.at += length;
    return this.given.subarray(this.at - length, this.at);
  }
}

/** Limits the output, since a small file may decompress to endless zeros. */
async function unpack(bytes: Uint8Array, limit: number, signal: AbortSignal): Promise<Uint8Array> {
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted();
      length += chunk.length;
      if (length > limit) throw new ReportError('Unpacked it is too large. Profile a shorter time.');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ReportError || signal.aborted) throw error;
    throw new ReportError(broken);
  }
  return Buffer.concat(chunks);
}
