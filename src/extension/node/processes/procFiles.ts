/* Linux reports a process by files. */

import { readFileSync } from 'node:fs';

/** The group that the terminal belongs to at this moment; undefined: there is no terminal, or no such process. */
export function foregroundGroup(pid: number): number | undefined {
  const line = readOf(pid, 'stat') ?? '';
  const group = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[5]);
  return group > 0 ? group : undefined;
}

export function readOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // Ended meanwhile, or somebody else's.
    return undefined;
  }
}
