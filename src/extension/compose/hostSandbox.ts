/* The sandbox of a window or headless run. Its code is loaded on first use. */

import { once } from '../base/once.ts';
import type { SandboxEnvironment } from '../node/sandbox/bubblewrapSandbox.ts';
import type { Sandbox, SandboxGrants, UserProxy } from '../platform/sandbox.ts';
import type { HostSandbox } from './agentHost.ts';

interface SandboxContext {
  readonly folders: () => readonly string[];
  /** Absolute. */
  readonly home: string;
  readonly platform: string;
  /** File names of memory files. */
  readonly instructionNames: () => readonly string[];
  /** The search path for programs. */
  readonly path: string | undefined;
  readonly grants?: SandboxGrants;
  /** Returns the user's own proxy; absent without one. */
  readonly proxy?: () => UserProxy;
}

export function hostSandbox({ platform, grants, path, ...places }: SandboxContext): HostSandbox {
  let isUsed = false;
  const load = once(async () => {
    const { findProtection } = await import('../core/protectedPaths.ts');
    isUsed = true;
    const holdsSecrets = (name: string) => findProtection(name, 'read') !== undefined;
    return await loadSandbox(platform, { ...places, holdsSecrets }, path);
  });
  const whyMissing = async () =>
    platform === 'win32' ? (await words()).noWindowsSandboxMessage : (await load()).whyMissing();
  const contain: Sandbox['contain'] = async request => (await load()).contain(request);
  return {
    grants: grants ?? { write: [], hosts: [] },
    whyMissing,
    contain,
    sandboxProgram: async program =>
      (await words()).sandboxProgram(program, places.home, { whyMissing, contain }),
    dispose: async () => {
      if (isUsed) await (await load()).dispose();
    },
  };
}

/** Loaded once a program is sandboxed, or cannot be. */
const words = () => import('../node/sandbox/sandboxProgram.ts');

async function loadSandbox(
  platform: string,
  places: SandboxEnvironment,
  path: string | undefined,
): Promise<Sandbox> {
  if (platform === 'darwin') {
    const { SeatbeltSandbox } = await import('../node/sandbox/seatbeltSandbox.ts');
    return new SeatbeltSandbox(places);
  }
  const { BubblewrapSandbox } = await import('../node/sandbox/bubblewrapSandbox.ts');
  return new BubblewrapSandbox(places, path);
}
