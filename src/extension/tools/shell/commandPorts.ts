import type { WorkspacePaths } from '../../core/paths.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';
import type { Sandbox } from '../../platform/sandbox.ts';
import type { LateNews } from './lateNews.ts';
import type { OpenCommands } from './openCommands.ts';

export interface CommandPorts {
  readonly processes: Pick<Processes, 'start'>;
  readonly files: Pick<FileSystem, 'stat' | 'realPath'>;
  readonly paths: WorkspacePaths;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'after'>;
  /** Absent: nothing here can hold a command. */
  readonly sandbox?: CommandSandbox;
  /** A user can type into the commands' terminals; absent: nobody. */
  readonly isAttended?: boolean;
  /** The commands of the session that wait for input; absent: those that these tools leave waiting. */
  readonly open?: OpenCommands;
  /** Follows what runs on in the background; absent: nobody does. */
  readonly programs?: ProgramFollower;
  /** A command is silent since a user is asked about it; absent: nobody is. */
  readonly awaitsUser?: () => boolean;
  /** Variables of each command, beside those that it gets anyway; absent: none. */
  readonly variables?: () => Promise<Readonly<Record<string, string>>>;
  /** Seconds without output until a command is stopped; 0: never. */
  readonly inactivityTimeout: () => number;
  /** Characters of output that the model gets whole. */
  readonly outputLimit: () => number;
  /** Absolute folder for the output of background processes; the model may read there. */
  readonly outputFolder: () => string;
}

/** `core/programs/runningPrograms.ts` has one for each session. */
interface ProgramFollower {
  /** @param printed what the model has read of its output already */
  add(callId: string, process: RunningProcess, printed: string, startAgain: StartAgain): void;
}

/** Starts a program once more, as it was admitted. */
export type StartAgain = () => Promise<RunningProcess>;

interface CommandSandbox extends Pick<Sandbox, 'contain'> {
  /** The setting, as it stands. */
  readonly isOn: () => boolean;
  /** Absolute; what `~` stands for. */
  readonly home: string;
  readonly late: LateNews;
}
