/* Checks the file system before a command runs: matches of a pattern, and files below a folder. */

import { dirname, join, resolve } from 'node:path';
import type { WorkspacePaths } from '../paths.ts';

export type PathGate = Pick<WorkspacePaths, 'locate' | 'protectionOf' | 'entriesOf'>;

/** Limits of a scan; beyond them the result is unknown. */
const maxEntries = 10_000;
const maxFolders = 400;
const maxMatches = 500;

/**
 * Resolves each `..` of a path as the system does: after a symlink, it is the parent of its target. Other symlinks stay,
 * and a path without `..` is only made absolute. Returns `undefined` if the path leaves the workspace on the way.
 */
export async function resolveDotDot(
  gate: Pick<WorkspacePaths, 'locate'>,
  start: string,
  path: string,
): Promise<string | undefined> {
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return resolve(start, path);
  let at = resolve(start, /^[\\/]/.test(path) ? '/' : '.');
  for (const name of path.split(/[\\/]/).filter(Boolean)) {
    if (name !== '..') {
      at = join(at, name);
      continue;
    }
    const place = await gate.locate(at, 'read');
    if (place.kind === 'refused') return undefined;
    at = dirname(place.path);
  }
  return at;
}

/**
 * Expands a pattern as a shell would, with more rather than fewer matches. Returns undefined if there are too many or
 * they are unknown.
 */
export async function expandPattern(
  gate: PathGate,
  start: string,
  pattern: string,
): Promise<readonly string[] | undefined> {
  let found: readonly string[] = [/^[\\/]/.test(pattern) ? resolve('/') : start];
  for (const part of pattern.split('/').filter(Boolean)) {
    const next: string[] = [];
    for (const at of found) {
      if (!/[*?[]/.test(part)) {
        const path = await resolveDotDot(gate, at, part);
        if (path === undefined) return undefined;
        next.push(path);
        continue;
      }
      const place = await gate.locate(at, 'read');
      if (place.kind === 'refused') return undefined;
      const shape = shapeOf(part);
      for (const { name } of (await gate.entriesOf(at)) ?? []) if (shape(name)) next.push(join(at, name));
      if (next.length > maxMatches) return undefined;
    }
    found = next;
  }
  return found;
}

/** A bracket matches anything from there on: its meaning depends on the shell and on quotes. */
function shapeOf(part: string): (name: string) => boolean {
  const pieces = part
    .replace(/\[.*$/s, '*')
    .toLowerCase()
    .split(/(\*+|\?)/)
    .filter(Boolean);
  return name => (name.startsWith('.') ? part.startsWith('.') : true) && fits(pieces, name.toLowerCase());
}

function fits(pieces: readonly string[], name: string): boolean {
  const [first, ...rest] = pieces;
  if (first === undefined) return name === '';
  if (first === '?') return name !== '' && fits(rest, name.slice(1));
  if (!first.startsWith('*')) return name.startsWith(first) && fits(rest, name.slice(first.length));
  if (rest.length === 0) return true;
  for (let at = 0; at <= name.length; at++) if (fits(rest, name.slice(at))) return true;
  return false;
}

/**
 * Returns the path of a protected file below a folder, `unknown` if the folder is too large.
 * @param hidden includes names that begin with a dot
 */
export async function findProtectedBelow(
  gate: PathGate,
  folder: string,
  hidden: boolean,
): Promise<string | undefined> {
  const queue = [folder];
  const visited = new Set<string>();
  let entries = 0;
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const place = await gate.locate(at, 'read');
    if (place.kind === 'refused' || visited.has(place.path)) continue;
    visited.add(place.path);
    const children = (await gate.entriesOf(place.path)) ?? [];
    entries += children.length;
    if (visited.size > maxFolders || entries > maxEntries) return 'unknown';
    for (const { name, kind } of children) {
      if (!hidden && name.startsWith('.')) continue;
      const path = join(place.path, name);
      if ((await gate.protectionOf(path, 'read')) !== undefined) return path;
      if (kind === 'directory') queue.push(path);
    }
  }
  return undefined;
}
