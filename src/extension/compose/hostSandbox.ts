/* The sandbox of a window, and of a run without one. Its code is loaded when it is first asked for. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Saying, t } from '../../protocol/language.ts';
import { SpokenError } from '../base/errors.ts';
import { once } from '../base/once.ts';
import type { SandboxPlaces } from '../node/sandbox/bubblewrapSandbox.ts';
import type {
  ContainedProgram,
  Containment,
  PersonalProxy,
  Sandbox,
  SandboxGrants,
} from '../platform/sandbox.ts';
import type { HostSandbox } from './host.ts';

interface SandboxSurroundings {
  readonly folders: () => readonly string[];
  /** Absolute. */
  readonly home: string;
  readonly platform: string;
  /** File names of standing instructions. */
  readonly instructionNames: () => readonly string[];
  /** Where programs are looked for. */
  readonly path: string | undefined;
  readonly grants?: SandboxGrants;
  /** The person's own, as it stands; absent: there is none. */
  readonly proxy?: () => PersonalProxy;
}

export function hostSandbox({ platform, grants, path, ...places }: SandboxSurroundings): HostSandbox {
  let isUsed = false;
  const load = once(async () => {
    const { findProtection } = await import('../core/protectedPaths.ts');
    isUsed = true;
    const holdsSecrets = (name: string) => findProtection(name, 'read') !== undefined;
    return await loadSandbox(platform, { ...places, holdsSecrets }, path);
  });
  const whyMissing = async () => missingOn[platform] ?? (await load()).whyMissing();
  const contain: Sandbox['contain'] = async wish => (await load()).contain(wish);
  return {
    grants: grants ?? { write: [], hosts: [] },
    whyMissing,
    contain,
    containProgram: program => containProgram(program, places.home, { whyMissing, contain }),
    dispose: async () => {
      if (isUsed) await (await load()).dispose();
    },
  };
}

async function loadSandbox(
  platform: string,
  places: SandboxPlaces,
  path: string | undefined,
): Promise<Sandbox> {
  if (platform === 'darwin') {
    const { SeatbeltSandbox } = await import('../node/sandbox/seatbeltSandbox.ts');
    return new SeatbeltSandbox(places);
  }
  const { BubblewrapSandbox } = await import('../node/sandbox/bubblewrapSandbox.ts');
  return new BubblewrapSandbox(places, path);
}

async function containProgram(
  { grants, cwd, lasting }: ContainedProgram,
  home: string,
  sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>,
): Promise<Containment> {
  const why = await sandbox.whyMissing();
  if (why !== undefined)
    throw new SpokenError(() =>
      t(
        'It does not run: its entry wants the sandbox, which cannot be used. {0} To let it run without one, take "sandbox" out of its entry.',
        why(),
      ),
    );
  // A folder that does not exist is told of by the program's start.
  const real = (base: string) => realpath(base).catch(() => base);
  const bases = await Promise.all([cwd, home].map(async base => [base, await real(base)] as const));
  // A grant behind a link counts for nothing, but a home or workspace may itself be reached through one.
  const absolute = (path: string) => {
    const whole = resolve(cwd, path.replace(/^~(?=\/|$)/, home));
    const [base, now] = bases.find(([each]) => whole.startsWith(`${each}/`)) ?? ['', ''];
    return now + whole.slice(base.length);
  };
  const [write, read] = [grants.write.map(absolute), grants.read.map(absolute)];
  return await sandbox.contain({ grants: { write, hosts: grants.hosts }, read, lasting, background: false });
}

const missingOn: Readonly<Record<string, Saying | undefined>> = {
  win32: () =>
    t(
      'There is no sandbox for commands on Windows. Open the folder in WSL, where there is one, or set "folio.sandbox" to "ask".',
    ),
};
