import type { Clock } from '../../../platform/clock.ts';
import type { Processes } from '../../../platform/processes.ts';
import type { MentionSources } from '../../mentions/sources.ts';
import type { PermissionOffer } from '../../policy/offers.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** Sources of a session, whichever code sends the prompt. */
export interface TemplateSources {
  /** Uses the same files and the same gate as mentions. */
  readonly mentions: MentionSources;
  readonly processes: Pick<Processes, 'start'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Node's `process.platform`. */
  readonly platform: string;
  /** Absolute, real folder for commands. `undefined`: no folder is open, so none runs. */
  readonly folder: () => Promise<string | undefined>;
  /** Limits of one command, read from the settings each time. */
  readonly limits: () => CommandLimits;
  /** Removes terminal control sequences. */
  readonly plainText: (output: string) => string;
}

interface CommandLimits {
  /** Characters of output that go into the prompt. */
  readonly outputLength: number;
  /** Seconds without output until it is stopped; 0: never. */
  readonly inactivityTimeout: number;
}

/** The sources, with decisions on commands. */
export interface TemplateServices extends TemplateSources {
  /** Asks the policy about a command in the folder. */
  classify(command: string, cwd: string): Promise<Verdict>;
  /** Asks once about all commands of a prompt that need approval. */
  ask(question: TemplateQuestion): Promise<TemplateAnswer>;
  remember(offer: PermissionOffer): Promise<unknown>;
  /** Shows a sentence about what could not be read. */
  notify(sentence: string): void;
  readonly signal: AbortSignal;
}

export interface TemplateQuestion {
  /** Name of the prompt's command, without slash. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly commands: readonly {
    readonly command: string;
    /** The policy's reason. */
    readonly reason: string;
  }[];
  /** All of them may be allowed for the session. */
  readonly canLast: boolean;
  /** Tells what running them means; absent: they run before the prompt is sent. */
  readonly sentence?: string;
}

export type TemplateAnswer = 'once' | 'session' | 'no';
