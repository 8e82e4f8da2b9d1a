/* What the files of a working tree are, and what they become where two of them meet. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const middle = Array.from({ length: 8 }, (_, index) => `line ${index}\n`).join('');

/** Texts by path; what Git ignores is among them. */
export type Files = ReadonlyMap<string, string>;

/** Two lines that can be changed apart. */
export function textOf(top: string, bottom: string): string {
  return `${top}\n${middle}${bottom}\n`;
}

export function slotsOf(text: string): readonly [top: string, bottom: string] {
  const lines = text.split('\n');
  return [lines[0]!, lines.at(-2)!];
}

export async function readTree(root: string): Promise<Files> {
  const files = new Map<string, string>();
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (path === '.git' || path.startsWith('.git/') || !entry.isFile()) continue;
    files.set(path, await readFile(join(root, path), 'utf8'));
  }
  return files;
}

export function withoutIgnored(files: Files): Files {
  return new Map([...files].filter(([path]) => !path.endsWith('.log')));
}

export function withFile(files: Files, path: string, text: string | undefined): Files {
  const changed = new Map(files);
  put(changed, path, text);
  return changed;
}

export function put(files: Map<string, string>, path: string, text: string | undefined): void {
  if (text === undefined) files.delete(path);
  else files.set(path, text);
}

/** Paths of either, and the text in the first. */
export function allOf(
  first: Files,
  ...others: readonly Files[]
): readonly (readonly [string, string | undefined])[] {
  const paths = new Set([first, ...others].flatMap(files => [...files.keys()]));
  return [...paths].map(path => [path, first.get(path)]);
}

export function differing(one: Files, other: Files): readonly string[] {
  return allOf(one, other).flatMap(([path, text]) => (text === other.get(path) ? [] : [path]));
}

/** `undefined`: the file is deleted. */
export function joined(
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
): string | undefined | 'conflict' {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  if (base === undefined || mine === undefined || theirs === undefined) return 'conflict';
  const [was, is, wanted] = [slotsOf(base), slotsOf(mine), slotsOf(theirs)];
  const slots = was.map((slot, at) => {
    const [own, other] = [is[at]!, wanted[at]!];
    if (own === other || other === slot) return own;
    return own === slot ? other : undefined;
  });
  return slots.includes(undefined) ? 'conflict' : textOf(slots[0]!, slots[1]!);
}

export function expectSame(is: Files, wanted: Files, what: string): void {
  const wrong = differing(is, wanted);
  if (wrong.length > 0)
    throw new Error(
      wrong.map(path => `${what}: ${path} is ${is.get(path)}, not ${wanted.get(path)}`).join('\n'),
    );
}

export function expectEqual<T>(is: T, was: T, what: string): void {
  const [now, before] = [JSON.stringify(is, null, 1), JSON.stringify(was, null, 1)];
  if (now !== before) throw new Error(`${what} changed from ${before} to ${now}`);
}
