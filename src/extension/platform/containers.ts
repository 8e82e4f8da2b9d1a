import type { Processes } from './processes.ts';

/** Development containers, as the `devcontainer.json` of a workspace describes them. */
export interface Containers {
  /**
   * Reads what starting one would mean; nothing is started. Rejects with a `SpokenError` that says what is missing and
   * what to do, and with the signal's reason.
   * @param folder absolute: the first of the workspace
   */
  plan(folder: string, signal: AbortSignal): Promise<ContainerPlan>;
  /**
   * Commands that run in the container. It is started with the first of them, and again when it has stopped.
   * @param place its `folder` as above. @param own starts the programs of this machine that lead into it
   */
  commands(place: ContainerPlace, own: Pick<Processes, 'start'>): Processes;
}

export interface ContainerPlace {
  /** Absolute: the first folder of the workspace. */
  readonly folder: string;
  /** Absolute: the same folder, as the container sees it. */
  readonly inside: string;
}

export interface ContainerPlan {
  /** As above. */
  readonly inside: string;
  /** Absolute: the file that describes it. */
  readonly file: string;
  readonly facts: readonly ContainerFact[];
  /** Everything that says what would run. */
  readonly whole: string;
}

/** One thing that starting the container would run or open. `text` is of the workspace. */
export interface ContainerFact {
  readonly kind: 'image' | 'feature' | 'onHost' | 'command' | 'mount' | 'privilege' | 'variable';
  readonly text: string;
}
