import type { Processes } from './processes.ts';

/** Development containers, as the `devcontainer.json` of a workspace describes them. */
export interface Containers {
  /**
   * Returns what starting the container would run, without starting it. Rejects with a `LocalizedError` that says what is
   * missing and what to do, and with the signal's reason.
   * @param folder absolute: the first of the workspace
   */
  plan(folder: string, signal: AbortSignal): Promise<ContainerPlan>;
  /**
   * Runs commands in the container. The first command starts it, and restarts it if it has stopped.
   * @param place its `folder` is the workspace's first
   * @param own starts the local programs that connect to it
   */
  commands(place: ContainerLocation, own: Pick<Processes, 'start'>): Processes;
}

/** A workspace folder, outside and inside its container. */
export interface ContainerLocation {
  /** Absolute: the first folder of the workspace. */
  readonly folder: string;
  /** Absolute: the same folder inside the container. */
  readonly inside: string;
}

export interface ContainerPlan {
  /** Absolute: the first folder of the workspace inside the container. */
  readonly inside: string;
  /** Absolute path of the file that describes it. */
  readonly file: string;
  readonly facts: readonly ContainerEffect[];
  /** Text of everything that would run. */
  readonly whole: string;
}

/** One thing that starting the container would run or open. `text` comes from the workspace. */
export interface ContainerEffect {
  readonly kind: 'image' | 'feature' | 'onHost' | 'command' | 'mount' | 'privilege' | 'variable';
  readonly text: string;
}
