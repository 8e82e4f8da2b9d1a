import type { WorkspacePaths } from '../../core/paths.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';
import type { Sandbox } from '../../platform/sandbox.ts';
import type { InteractiveCommands } from './interactiveCommands.ts';
import type { LateMessages } from './lateMessages.ts';

export interface CommandPorts {
  readonly processes: Pick<Processes, 'start'>;
  readonly files: Pick<FileSystem, 'stat' | 'realPath'>;
  readonly paths: WorkspacePaths;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'after'>;
  /** Absent if there is no sandbox here. */
  readonly sandbox?: CommandSandbox;
  /** True if a user can type into the commands' terminals. */
  readonly isAttended?: boolean;
  /** The session's commands that wait for input. Defaults to those that these tools started. */
  readonly open?: InteractiveCommands;
  /** Tracks programs that continue in the background. */
  readonly programs?: ProgramFollower;
  /** Returns true if a command is silent because the user is being asked about it. */
  readonly awaitsUser?: () => boolean;
  readonly variables?: () => Promise<Readonly<Record<string, string>>>;
  /** Seconds without output until a command is stopped; 0 disables that. */
  readonly inactivityTimeout: () => number;
  /** Characters of output that the model gets uncut. */
  readonly outputLimit: () => number;
  /** Absolute folder for the output of background processes; the model may read there. */
  readonly outputFolder: () => string;
}

/** Implemented per session by `core/programs/runningPrograms.ts`. */
interface ProgramFollower {
  /** @param printed output that the model has read already */
  add(callId: string, process: RunningProcess, printed: string, startAgain: RestartProgram): void;
}

/** Restarts a program with its original approval. */
export type RestartProgram = () => Promise<RunningProcess>;

interface CommandSandbox extends Pick<Sandbox, 'contain'> {
  readonly isOn: () => boolean;
  /** Absolute; expansion of `~`. */
  readonly home: string;
  readonly late: LateMessages;
}
