/* A sandbox that cannot be used here, and folders that are too much to be written by commands. */

import { realpath } from 'node:fs/promises';
import { isWithin } from './secretPlaces.ts';

interface Places {
  readonly folders: () => readonly string[];
  readonly home: string;
}

/** A workspace is written by commands, so one that holds the person's home would open all of it. */
export async function whyTooWide({ folders, home }: Places): Promise<string | undefined> {
  const real = await realpath(home).catch(() => home);
  for (const folder of folders())
    if (isWithin(real, await realpath(folder)))
      return `The workspace folder ${folder} holds your whole home folder, all of which commands in the sandbox could then change. Open the folder of a project instead.`;
  return undefined;
}

/** Says why a sandbox cannot be used here. One that works is tried out once. */
export class Missing {
  private readonly places: Places;
  private readonly tryOut: () => Promise<string | undefined>;
  private probe: Promise<string | undefined> | undefined;

  /** @param tryOut why no command can be held; undefined: it can. Never rejects */
  constructor(places: Places, tryOut: () => Promise<string | undefined>) {
    this.places = places;
    this.tryOut = tryOut;
  }

  async why(): Promise<string | undefined> {
    const tooWide = await whyTooWide(this.places);
    if (tooWide !== undefined) return tooWide;
    this.probe ??= this.tryOut();
    const why = await this.probe;
    // A person may mend it meanwhile.
    if (why !== undefined) this.probe = undefined;
    return why;
  }
}

/** Throws with a sentence when a program that runs as long as the host would write a whole workspace. */
export function refuseWhole(workspaces: readonly string[], write: readonly string[]): void {
  const whole = write.find(path => workspaces.some(folder => isWithin(folder, path)));
  if (whole !== undefined)
    throw new Error(
      `It does not run: ${whole} is too much to be written by a program that runs all the time. Name the folders in it that it writes to.`,
    );
}
