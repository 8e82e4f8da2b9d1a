import { existsSync, readFileSync } from 'node:fs';

/** Zombies count as ended: not every machine's first process collects what is left to it, or not at once. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    // No such process: it has ended.
    return false;
  }
  return stateOf(pid) !== 'Z';
}

function stateOf(pid: number): string | undefined {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return line.slice(line.lastIndexOf(')') + 2)[0];
}
