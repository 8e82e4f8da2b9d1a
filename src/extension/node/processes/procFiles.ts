import { readFileSync } from 'node:fs';

/** The terminal's current foreground process group. `undefined` without a terminal or such a process. */
export function foregroundGroup(pid: number): number | undefined {
  const line = readProcFile(pid, 'stat') ?? '';
  const group = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[5]);
  return group > 0 ? group : undefined;
}

export function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}
