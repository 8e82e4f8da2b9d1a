/* Reports why a sandbox is unusable, and which folders are too broad to be writable by commands. */

import { realpath } from 'node:fs/promises';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { liesWithin } from './secretPlaces.ts';

interface Places {
  readonly folders: () => readonly string[];
  readonly home: string;
}

/** Commands may write the workspace, so one that contains the user's home would expose all of it. */
export async function whyTooBroad({ folders, home }: Places): Promise<LocalizedMessage | undefined> {
  const real = await realpath(home).catch(() => home);
  for (const folder of folders())
    if (liesWithin(real, await realpath(folder)))
      return () =>
        t(
          'The workspace folder {0} contains your home folder, so commands in the sandbox could change all of it. Open the folder of a project instead.',
          folder,
        );
  return undefined;
}

/** Returns why a sandbox is unusable here. Probes a working one only once. */
export class SandboxAvailability {
  private readonly places: Places;
  private readonly tryOut: () => Promise<LocalizedMessage | undefined>;
  private probe: Promise<LocalizedMessage | undefined> | undefined;

  /** @param tryOut resolves to why commands cannot be sandboxed, or `undefined`. Never rejects */
  constructor(places: Places, tryOut: () => Promise<LocalizedMessage | undefined>) {
    this.places = places;
    this.tryOut = tryOut;
  }

  async why(): Promise<LocalizedMessage | undefined> {
    const tooBroad = await whyTooBroad(this.places);
    if (tooBroad !== undefined) return tooBroad;
    this.probe ??= this.tryOut();
    const why = await this.probe;
    // The user may fix it in the meantime.
    if (why !== undefined) this.probe = undefined;
    return why;
  }
}

/** Throws a user-facing message if a long-running program would write a whole workspace. */
export function refuseWholeWorkspace(workspaces: readonly string[], write: readonly string[]): void {
  const whole = write.find(path => workspaces.some(folder => liesWithin(folder, path)));
  if (whole !== undefined)
    throw new LocalizedError(() =>
      t(
        'It does not run: write access to {0} is too broad for a program that runs all the time. Name the folders in it that it writes to.',
        whole,
      ),
    );
}

/** Why bubblewrap failed the probe. */
export function describeProbeFailure(error: unknown): LocalizedMessage {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const reason = said || messageOf(error);
  if (/namespace|uid map|permission|not permitted|No space/i.test(reason))
    return () =>
      t(
        'The system does not allow user namespaces ({0}). Allow them, for example with "sysctl kernel.apparmor_restrict_unprivileged_userns=0" on Ubuntu or "sysctl user.max_user_namespaces=10000".',
        reason,
      );
  return () =>
    t('Bubblewrap could not create the sandbox ({0}). Update the system package "bubblewrap".', reason);
}
