import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives `work` an empty folder that is gone afterwards. */
export async function inTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Path of the file that a script reads at this step. No two steps read the same, as no sensible agent does. */
export function noteAt(index: number): string {
  return `notes/note-${index}.txt`;
}

/** @param bytes of each, or of the one with this number */
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

/** Words that are the same at every run: a small linear congruential generator (constants of Numerical Recipes). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A project of so many small source files in folders of 100, with an ignore file that is one of them not. */
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

/** About 1.5 KB. `needle` is in one file of a thousand, `export` in all. */
function sourceText(number: number, random: (below: number) => number): string {
  const word = () => words[random(words.length)]!;
  const lines = Array.from(
    { length: 30 },
    () => `export const ${word()}${random(1e6)} = '${word()} ${word()}';`,
  );
  if (number % 1000 === 7) lines.push("export const needle = 'found';");
  return `${lines.join('\n')}\n`;
}
