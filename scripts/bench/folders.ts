import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with an empty temporary folder, removed afterwards. */
export async function inTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the path of the file to read at a step, different at each step. */
export function noteAt(index: number): string {
  return `notes/note-${index}.txt`;
}

/** @param bytes size of each note, or by its number */
export async function writeNotes(
  folder: string,
  count: number,
  bytes: number | ((index: number) => number),
): Promise<void> {
  await mkdir(join(folder, 'notes'), { recursive: true });
  for (let index = 0; index < count; index++) {
    const line = `Note ${index} says that the quick brown fox jumps over the lazy dog.\n`;
    const size = typeof bytes === 'number' ? bytes : bytes(index);
    const text = line.repeat(Math.ceil(size / line.length)).slice(0, size);
    await writeFile(join(folder, noteAt(index)), text);
  }
}

/** Deterministic random numbers: a linear congruential generator (constants of Numerical Recipes). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Writes a project of `count` small source files in folders of 100, and an ignore file. */
export async function writeTree(folder: string, count: number): Promise<void> {
  const random = randomFrom(count);
  // Ignore files count only inside a repository.
  await mkdir(join(folder, '.git'), { recursive: true });
  await writeFile(join(folder, '.gitignore'), 'build/\n*.log\n');
  for (let start = 0; start < count; start += 100) {
    const part = join(folder, 'src', `area${Math.floor(start / 2000)}`, `part${start / 100}`);
    await mkdir(part, { recursive: true });
    const numbers = Array.from({ length: Math.min(100, count - start) }, (_, i) => start + i);
    const name = (n: number) => join(part, n % 10 === 0 ? `file${n}.test.ts` : `file${n}.ts`);
    await Promise.all(numbers.map(n => writeFile(name(n), sourceText(n, random))));
  }
}

const words =
  'amount balance carry debit entry figure grand invoice journal kept ledger margin note order'.split(' ');

/** Returns about 1.5 KB of source. `needle` is in one file of a thousand, `export` in all. */
function sourceText(number: number, random: (below: number) => number): string {
  const word = () => words[random(words.length)]!;
  const lines = Array.from(
    { length: 30 },
    () => `export const ${word()}${random(1e6)} = '${word()} ${word()}';`,
  );
  if (number % 1000 === 7) lines.push("export const needle = 'found';");
  return `${lines.join('\n')}\n`;
}
