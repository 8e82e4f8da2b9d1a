/* Sources that fill the placeholders of a template. */

import type { Clock } from '../../../platform/clock.ts';
import type { Processes } from '../../../platform/processes.ts';
import type { MentionSources } from '../../mentions/sources.ts';
import type { Offer } from '../../policy/offers.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** Sources of a session, whichever code sends the prompt. */
export interface TemplateSources {
  /** The same files, and the same gate, as mentions have. */
  readonly mentions: MentionSources;
  readonly processes: Pick<Processes, 'start'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** As Node names it. */
  readonly platform: string;
  /** Absolute and real: commands run here. `undefined`: no folder is open, and none runs. */
  readonly folder: () => Promise<string | undefined>;
  /** Limits of one command, read again from the settings each time. */
  readonly limits: () => CommandLimits;
  /** An output without the control characters of a terminal. */
  readonly plainText: (output: string) => string;
}

interface CommandLimits {
  /** Characters of its output that go into the prompt. */
  readonly outputLength: number;
  /** Seconds without output until it is stopped; 0: never. */
  readonly inactivityTimeout: number;
}

/** The sources with who decides on commands. */
export interface TemplateWork extends TemplateSources {
  /** Asks the policy about a command in the folder. */
  classify(command: string, cwd: string): Promise<Verdict>;
  /** One question for all commands of a prompt that the policy asks about. */
  ask(question: CommandQuestion): Promise<CommandAnswer>;
  /** Keeps a permission for the session. */
  remember(offer: Offer): Promise<unknown>;
  /** A sentence for the user about what could not be read. */
  notify(sentence: string): void;
  readonly signal: AbortSignal;
}

export interface CommandQuestion {
  /** The name of the prompt's command, without its slash. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly commands: readonly {
    readonly command: string;
    /** Why the policy asks. */
    readonly reason: string;
  }[];
  /** All of them may be allowed for the rest of the session. */
  readonly canLast: boolean;
  /** Says what running them means; absent: they run before the prompt is sent. */
  readonly sentence?: string;
}

export type CommandAnswer = 'once' | 'session' | 'no';
