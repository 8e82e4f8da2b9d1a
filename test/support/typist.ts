import { spawnSync } from 'node:child_process';
import { expect, vi } from 'vitest';
import type { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import type { RunningProcess } from '../../src/extension/platform/processes.ts';

const patience = { timeout: 60_000, interval: 20 };

/** Somebody who runs a command and answers it when it shows something. */
export function typist(processes: NodeProcesses, command: string, cwd: string) {
  const running = processes.start({ command, cwd, answerable: true });
  const seen = { text: '' };
  running.onDidWrite(text => {
    seen.text += text;
  });
  const shows = (text: string | RegExp) => vi.waitFor(() => expect(seen.text).toMatch(text), patience);
  return { running, seen, shows, type: (text: string) => running.keyboard?.write(text) };
}

/** Hears whether a program waits, from now on. */
export function followWaiting({ keyboard }: RunningProcess) {
  const reported: boolean[] = [];
  keyboard?.onDidChangeWaiting(waits => reported.push(waits));
  const becomes = (waits: boolean) => vi.waitFor(() => expect(reported.at(-1)).toBe(waits), patience);
  return { reported, becomes };
}

export function hasProgram(name: string): boolean {
  return spawnSync('which', [name]).status === 0;
}
